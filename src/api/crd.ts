/** From a kind to its CustomResourceDefinition. */
import { stringify } from 'yaml'
import { type StructuralSchema, type Validation, structural } from './crd-schema.ts'
import { GROUP, VERSION } from './group.ts'
import { kindSchemas } from './kinds.ts'
import type { FrozenField, GrowOnlyField, KindSchema } from './kindschema.ts'

interface PrinterColumn {
  readonly name: string
  readonly type: string
  readonly jsonPath: string
  readonly description?: string
  readonly priority?: number
}

/** A frozen field: changed, added or removed only while no cloud object can exist. Holds while spec is unchanged. */
export function frozenRule({ field, instead }: FrozenField): Validation {
  const was = `oldSelf.spec.${field}`
  const is = `self.spec.${field}`
  return {
    rule: [
      '!has(oldSelf.status)',
      '(!has(oldSelf.status.id) && !has(oldSelf.status.operation))',
      `(has(${is}) == has(${was}) && (!has(${is}) || ${is} == ${was}))`,
    ].join(' || '),
    message: `${field} is immutable once the cloud object may exist: ${instead}`,
    fieldPath: `.spec.${field}`,
  }
}

/** A size that is never asked for below what exists; what was never reached can be lowered. Holds while spec is unchanged. */
export function growOnlyRule({ field, existing, instead }: GrowOnlyField): Validation {
  const parts = field.split('.')
  const present = (self: string): string =>
    parts.map((_, depth) => `has(${[self, 'spec', ...parts.slice(0, depth + 1)].join('.')})`).join(' && ')
  return {
    rule: [
      `!(${present('self')})`,
      `(${present('oldSelf')} && self.spec.${field} >= oldSelf.spec.${field})`,
      '!has(self.status)',
      `!has(self.status.${existing})`,
      `self.spec.${field} >= self.status.${existing}`,
    ].join(' || '),
    message: `${field} can only grow: ${instead}`,
    messageExpression: `'${field} can only grow, %d GiB exist: ${instead}'.format([self.status.${existing}])`,
    fieldPath: `.spec.${field}`,
  }
}

function column(name: string, jsonPath: string, description: string, wide: boolean): PrinterColumn {
  return { name, type: 'string', jsonPath, description, ...(wide ? { priority: 1 } : {}) }
}

function condition(type: string, field: string): string {
  return `.status.conditions[?(@.type=="${type}")].${field}`
}

/** The columns of `kubectl get`, in the same order for every kind. */
export function printerColumns(kind: KindSchema): readonly PrinterColumn[] {
  return [
    column('Ready', condition('Ready', 'status'), 'Whether it is usable now', false),
    column('Reason', condition('Ready', 'reason'), 'Why it is or is not', false),
    ...kind.columns,
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    column('Synced', condition('Synced', 'status'), 'Whether the cloud equals the spec', true),
    column('ID', '.status.id', 'Identity in the cloud', true),
    ...('location' in kind.spec.shape
      ? [column('Location', '.status.location', 'Location it is in', true)]
      : []),
    // While the object is usable and something waits, Synced says what; else both say the same.
    column('Message', condition('Synced', 'message'), 'What the matter is and what to do about it', true),
  ]
}

function objectSchema(kind: KindSchema): StructuralSchema {
  const rules = [...kind.frozen.map(frozenRule), ...kind.growOnly.map(growOnlyRule)]
  return {
    description: kind.description,
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: { description: `Always ${GROUP}/${VERSION}.`, type: 'string' },
      kind: { description: `Always ${kind.kind}.`, type: 'string' },
      metadata: { type: 'object' },
      spec: {
        description:
          'What you want. An optional field that is absent is not managed, or has the default its description states. ' +
          'What is frozen once a cloud object may exist (status.id or status.operation) can be corrected until then.',
        ...structural(kind.spec),
      },
      status: {
        description: 'What the operator has seen and done. Written by the operator alone.',
        ...structural(kind.status),
        // On the object, not on the leaf: below an absent parent no default is applied. Without it a new object has no
        // status at all, and tools that wait take that for finished.
        default: { observedGeneration: -1 },
      },
    },
    ...(rules.length === 0 ? {} : { 'x-kubernetes-validations': rules }),
  }
}

/** The CustomResourceDefinition of a kind, as an object. `bundle` is the version of this program. */
export function customResourceDefinition(kind: KindSchema, bundle: string): Record<string, unknown> {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${kind.plural}.${GROUP}`,
      annotations: {
        'argocd.argoproj.io/sync-options': 'Prune=false,ServerSideApply=true',
        [`${GROUP}/bundle-version`]: bundle,
        'helm.sh/resource-policy': 'keep',
        'kustomize.toolkit.fluxcd.io/prune': 'disabled',
        'kustomize.toolkit.fluxcd.io/substitute': 'disabled',
      },
    },
    spec: {
      group: GROUP,
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural: kind.plural,
        singular: kind.singular,
        shortNames: [kind.shortName],
        categories: ['cloud'],
      },
      scope: 'Namespaced',
      versions: [
        {
          name: VERSION,
          served: true,
          storage: true,
          additionalPrinterColumns: printerColumns(kind),
          selectableFields: kind.selectableFields.map((jsonPath) => ({ jsonPath })),
          subresources: { status: {} },
          schema: { openAPIV3Schema: objectSchema(kind) },
        },
      ],
    },
  }
}

/** The files of `crds/`: text by file name. The same input gives the same bytes. */
export function crdFiles(bundle: string): ReadonlyMap<string, string> {
  return new Map(
    Object.values(kindSchemas).map((kind) => [
      `${GROUP}_${kind.plural}.yaml`,
      '# Generated from src/api by `node src/api/crd-main.ts`; edit the schema there.\n' +
        stringify(customResourceDefinition(kind, bundle), { lineWidth: 110, aliasDuplicateObjects: false }),
    ]),
  )
}
