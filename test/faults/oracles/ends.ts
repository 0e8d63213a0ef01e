/**
 * The closed list of states in which an object may stand when everything has come to rest, besides Ready and in sync:
 * reason by situation, each with its justification. What is not here is a fault.
 */
import { isObject } from '../kube/objects.ts'
import type { Trouble } from '../plan.ts'
import { isTooLate, losesStatus } from './excuses.ts'
import { isClone, keptIn } from './kept.ts'
import {
  asksAboutOtherName,
  isRestored,
  refersToNothing,
  speaksOfKept,
  waitsForAnother,
  wasDeletedBefore,
  type Situation,
} from './situation.ts'

interface Blocked {
  readonly reason: string
  readonly kinds?: readonly string[]
  readonly when: (situation: Situation) => boolean
  readonly because: string
}

const documented = ({ history }: Situation): boolean => history.plan.profile === 'documented'
const person =
  (...steps: readonly string[]) =>
  (trouble: Trouble): boolean =>
    'person' in trouble && steps.includes(trouble.person.do)
/** An answer may never have been seen, or what was written down was lost. */
const lostAnswer = (trouble: Trouble): boolean =>
  'kill' in trouble ||
  'answer' in trouble ||
  'restoreEtcd' in trouble ||
  'pauseMs' in trouble ||
  person('wipeStatus')(trouble)
const toTheAccount = (trouble: Trouble): boolean =>
  'person' in trouble && 'object' in trouble.person && trouble.person.object.kind === 'CloudAccount'
const refuses = (trouble: Trouble): boolean =>
  'answer' in trouble &&
  typeof trouble.answer === 'object' &&
  trouble.answer.status >= 400 &&
  trouble.answer.status < 500
const resized = (trouble: Trouble): boolean =>
  'person' in trouble && trouble.person.do === 'cloud' && trouble.person.change.do === 'setVm'
const stoppedByHand = (trouble: Trouble): boolean =>
  resized(trouble) && JSON.stringify(trouble).includes('"status":"stopped"')
const inCloud = (trouble: Trouble): boolean => person('cloud', 'takenInCloud')(trouble)
const renames = (trouble: Trouble): boolean =>
  'person' in trouble && trouble.person.do === 'cloud' && trouble.person.change.do === 'rename'

/** Another one of its kind, with what is that one's. */
const deletesAnother =
  ({ object }: Situation) =>
  (trouble: Trouble): boolean =>
    'person' in trouble &&
    trouble.person.do === 'delete' &&
    trouble.person.object.kind === object.kind &&
    trouble.person.object.name !== object.metadata.name

export const ENDS: readonly Blocked[] = [
  {
    reason: 'CreateOutcomeUnknown',
    kinds: ['CloudDisk', 'CloudLoadBalancer'],
    when: (s) => documented(s) && s.had(lostAnswer) && s.interrupted(),
    because:
      'the service shows no names of these, so that only a person can tell what an unanswered create made',
  },
  {
    reason: 'CreateOutcomeUnknown',
    kinds: ['CloudAccessKey', 'CloudSnapshot'],
    when: (s) => s.had(lostAnswer) && s.interrupted(),
    because: 'these carry no name anywhere, so that only a person can tell what an unanswered create made',
  },
  {
    reason: 'CreateOutcomeUnknown',
    kinds: ['CloudSnapshot'],
    when: (s) =>
      s.had((each) => inCloud(each) && JSON.stringify(each).includes('"addReplica"')) &&
      s.had((each) => 'read' in each),
    because:
      'a person’s snapshot of the same moment, which no list showed, is told from ours by nobody but a person',
  },
  {
    reason: 'NameTaken',
    kinds: ['CloudAccessKey', 'CloudAPIToken'],
    when: (s) => s.had(person('copy', 'again', 'rebuild', 'stripFinalizer')),
    because: 'the Secret of that name is another object’s: a copy, or a new one where nobody cleaned up',
  },
  {
    reason: 'CreateOutcomeUnknown',
    kinds: ['CloudVM'],
    when: (s) => isClone(s.object) && s.had(losesStatus),
    because:
      'a clone carries its marker only until its id is stored: with the status lost it looks like any other',
  },
  {
    reason: 'CreateOutcomeUnknown',
    kinds: ['CloudVM'],
    when: asksAboutOtherName,
    because: 'with its status lost, what carries its marker under another name may be a clone',
  },
  {
    reason: 'Creating',
    kinds: ['CloudDisk', 'CloudLoadBalancer'],
    when: (s) => documented(s) && waitsForAnother(s),
    because: 'where no names are shown creates go one at a time, and one before it waits for a person',
  },
  {
    reason: 'Creating',
    kinds: ['CloudAccessKey', 'CloudSnapshot'],
    when: waitsForAnother,
    because:
      'keys and snapshots never show a name of ours, and the create of one before it waits for a person',
  },
  {
    reason: 'StartRequired',
    kinds: ['CloudVM'],
    when: (s) => s.had(stoppedByHand),
    because: 'a password is set only while the machine runs, and who stopped it may have meant it',
  },
  {
    reason: 'Unsupported',
    kinds: ['CloudLoadBalancer'],
    when: documented,
    because: 'the service documents no way to change or delete a load balancer',
  },
  {
    reason: 'AdoptionConflict',
    kinds: ['CloudBucket'],
    when: (s) =>
      s.had((each) => 'restoreEtcd' in each || person('wipeStatus', 'copy')(each) || inCloud(each)),
    because: 'a bucket carries no marker: one of that name found before an intent may be anybody’s',
  },
  {
    reason: 'AdoptionConflict',
    when: (s) => s.had(person('copy')) && (isObject(s.object.spec?.['adopt']) || isRestored(s.object)),
    because:
      'one cloud object has one owner: the copy of an adopting manifest, or of a status, is the second',
  },
  {
    reason: 'AdoptionConflict',
    when: (s) =>
      s.object.metadata.deletionTimestamp !== undefined &&
      isObject(s.object.spec?.['adopt']) &&
      s.had(losesStatus),
    because: 'whether it adopted what its spec names went with its status, and that is not deleted unasked',
  },
  {
    reason: 'AdoptionConflict',
    kinds: ['CloudFloatingIP'],
    when: (s) => s.had((each) => 'restoreEtcd' in each || person('wipeStatus')(each) || inCloud(each)),
    because:
      'where an address was assigned by us is known from the status alone: without it the target is a stranger',
  },
  {
    reason: 'AccountUnavailable',
    when: (s) => s.had((each) => 'restoreEtcd' in each || toTheAccount(each)),
    because:
      'its account went, or is going: what has nothing in the cloud yet does not begin, and nothing is believed gone unseen',
  },
  {
    reason: 'ExternallyDeleted',
    when: (s) => s.had((each) => 'restoreEtcd' in each || inCloud(each)) || isRestored(s.object),
    because:
      'it was deleted before the backup’s time came back, or by a person: making another is a decision',
  },
  {
    reason: 'ApprovalRequired',
    kinds: ['CloudVM'],
    when: (s) => s.had((each) => 'restoreEtcd' in each || inCloud(each)),
    because: 'a stop that only an outside change asks for waits for a person',
  },
  {
    reason: 'NotEmpty',
    kinds: ['CloudBucket', 'CloudDisk'],
    when: (s) => s.leaving && s.had(inCloud),
    because: 'a person put something into it: what holds data of others is never emptied',
  },
  {
    reason: 'AdoptionConflict',
    when: (s) => s.had(isTooLate),
    because: 'what came about after the settle time is nobody’s any more',
  },
  {
    reason: 'ReferenceInvalid',
    kinds: ['CloudVMOperation'],
    when: (s) => s.had((each) => inCloud(each) || person('again', 'delete', 'deleteCRD')(each)),
    because: 'its machine was deleted before it began',
  },
  {
    reason: 'WaitingForCloud',
    kinds: ['CloudVM'],
    when: (s) =>
      s.object.metadata.deletionTimestamp !== undefined &&
      s.had(person('cloud')) &&
      s.had((each) => JSON.stringify(each).includes('"do":"delete","kind":"disk"')),
    because:
      'with its boot disk gone behind our back nothing tells which disks would go with the machine: a person deletes it, or keeps it',
  },
  {
    reason: 'NotFoundToAdopt',
    when: (s) =>
      s.had((each) => inCloud(each) || person('again', 'copy')(each) || deletesAnother(s)(each)) ||
      (s.had((each) => 'restoreEtcd' in each) && wasDeletedBefore(s)),
    because:
      'an object that adopted it has deleted it, as it was told to, and came back with a backup, or was not the only one; or a person has in the cloud',
  },
  {
    reason: 'PermissionDenied',
    when: (s) => s.had(refuses) && s.had(toTheAccount),
    because: 'its account is going, and it is not asked again whether the key may',
  },
  {
    reason: 'NotEmpty',
    kinds: ['CloudNetwork'],
    when: (s) => s.leaving && s.had(isTooLate),
    because: 'what was made in it after the settle time belongs to nobody, and is never deleted',
  },
  {
    reason: 'Paused',
    when: (s) => s.had((each) => 'restoreEtcd' in each) && s.had(person('pauseFor')),
    because: 'a backup from within the pause brings the annotation back',
  },
  {
    reason: 'NotEmpty',
    kinds: ['CloudNetwork'],
    when: (s) => s.leaving && s.had(renames),
    because: 'what a person took the marker from belongs to nobody once its status is lost as well',
  },
  {
    reason: 'DefaultConflict',
    kinds: ['CloudNetwork'],
    when: (s) => s.had((each) => 'restoreEtcd' in each || person('copy', 'cloud')(each)),
    because: 'one network is the default, and the default one cannot be deleted',
  },
  {
    reason: 'Unsupported',
    kinds: ['CloudVM', 'CloudDisk'],
    when: (s) => s.had((each) => 'restoreEtcd' in each),
    because: 'a disk that had grown for a lost edit cannot shrink again',
  },
  {
    reason: 'InvalidSpec',
    kinds: ['CloudVM'],
    when: (s) => s.had((each) => 'restoreEtcd' in each || resized(each)),
    because:
      'a size that differs when a create is confirmed counts as given by the service: stopping for it is a decision',
  },
  {
    reason: 'InvalidSpec',
    kinds: ['CloudVM', 'CloudVMOperation'],
    when: (s) => s.had(refuses),
    because: 'a machine is not stopped again for a size that was refused once, and an operation runs once',
  },
  {
    reason: 'AdoptionConflict',
    when: (s) =>
      s.had(
        (each) => 'restoreEtcd' in each || person('again', 'rebuild', 'stripFinalizer', 'deleteCRD')(each),
      ) && speaksOfKept(s),
    because: 'what the deleted one left in the cloud may be meant by the new one: a person says which',
  },
  {
    reason: 'NotEmpty',
    kinds: ['CloudNetwork'],
    when: (s) => s.leaving && keptIn(s.history).size > 0,
    because: 'a machine that was kept, or let go of by a person, is still in it',
  },
  {
    reason: 'PermissionDenied',
    kinds: ['CloudVMOperation'],
    when: (s) => s.had(refuses),
    because: 'an operation runs once, and ends with the refusal of its call',
  },
  {
    reason: 'OutcomeUnknown',
    kinds: ['CloudVMOperation'],
    when: (s) => (s.had(lostAnswer) && s.interrupted()) || isRestored(s.object),
    because: 'what may destroy data is sent at most once, and ends so when its result is never known',
  },
  {
    reason: 'DriftDetected',
    when: ({ object: { spec } }) =>
      isObject(spec?.['lifecycle']) && spec['lifecycle']['management'] === 'ObserveOnly',
    because: 'the spec wishes for something else, and only observes',
  },
  {
    reason: 'WaitingForDependency',
    when: (s) => refersToNothing(s),
    because: 'what the spec refers to does not exist, or is not ready for a listed reason itself',
  },
  {
    reason: 'WaitingForDependents',
    when: (s) => s.leaving,
    because: 'something that still uses it is there, itself for a listed reason',
  },
]
