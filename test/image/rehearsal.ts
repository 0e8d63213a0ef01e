/**
 * Builds the image's root folder without a container engine: carries out the Dockerfile's build stage in a folder, then
 * lays out /app as the last stage does, beside the libraries its node needs. `node test/image/rehearsal.ts` only builds.
 */
import { execFileSync } from 'node:child_process'
import { chownSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { repository, stageNamed, type Instruction } from './dockerfile.ts'

export const IMAGE_USER = 65532

export interface Rehearsed {
  /** The image's root. */
  readonly root: string
  /** Megabytes of /app, the compile cache included. */
  readonly appMB: number
  remove(): void
}

/** Needs root, mount namespaces and the tools unshare and chroot. Shows each step. */
export function rehearse(say: (line: string) => void): Rehearsed {
  const top = mkdtempSync(join(tmpdir(), 'cloud-operator-image-'))
  const build = join(top, 'build')
  const root = join(top, 'root')
  mkdirSync(build)
  mkdirSync(join(root, 'app'), { recursive: true })
  for (const instruction of stageNamed('build').instructions) carryOut(instruction, build, root, say)
  for (const library of librariesOf(join(root, 'app/node'))) {
    mkdirSync(join(root, dirname(library)), { recursive: true })
    copyFileSync(library, join(root, library))
  }
  for (const folder of ['etc', 'tmp']) mkdirSync(join(root, folder))
  chownSync(join(root, 'app'), IMAGE_USER, IMAGE_USER)
  say('as in the stage cache: the compile cache, by the user of the image')
  inImage(root, ['/app/node', '/app/cloud-operator.mjs', 'version'], false)
  chownSync(join(root, 'app'), 0, 0)
  const appMB = Math.round(
    Number(execFileSync('du', ['-sk', join(root, 'app')], { encoding: 'utf8' }).split('\t')[0]) / 1024,
  )
  return { root, appMB, remove: () => rmSync(top, { recursive: true, force: true }) }
}

/** Paths of the image begin at its root; the build's own folder stands for WORKDIR. */
function carryOut(
  { word, rest }: Instruction,
  build: string,
  root: string,
  say: (line: string) => void,
): void {
  switch (word) {
    case 'WORKDIR':
      return
    case 'COPY': {
      const parts = rest.split(/\s+/)
      const to = join(build, parts.at(-1) ?? '.')
      for (const from of parts.slice(0, -1)) {
        const target = rest.endsWith('./') ? join(to, from) : to
        cpSync(join(repository, from), target, { recursive: true })
      }
      return
    }
    case 'RUN': {
      say(`RUN ${rest}`)
      const here = rest
        .replace('mkdir /app', `mkdir -p ${root}/app`)
        .replaceAll(' /app/', ` ${root}/app/`)
        .replace('/usr/local/bin/node', process.execPath)
      execFileSync('sh', ['-c', here], {
        cwd: build,
        stdio: ['ignore', 'ignore', 'inherit'],
        env: buildEnvironment(),
      })
      return
    }
    default:
      throw new Error(`the rehearsal does not know the instruction ${word}`)
  }
}

/** As in the build image: its node first. */
function buildEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` }
}

function librariesOf(program: string): readonly string[] {
  const listed = execFileSync('ldd', [program], { encoding: 'utf8' })
  return [...listed.matchAll(/(\/\S+)\s+\(0x/g)].map(([, path = '']) => path)
}

/** The command that runs `args` inside the image: its user, its root, read-only unless told otherwise. */
export function imageCommand(
  root: string,
  args: readonly string[],
  readOnly = true,
): readonly [string, readonly string[]] {
  const quoted = args.map((each) => `'${each.replaceAll("'", "'\\''")}'`).join(' ')
  const remount = readOnly ? `mount -o remount,ro,bind '${root}' && ` : ''
  const environment =
    'env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin NODE_ENV=production NODE_COMPILE_CACHE=/app/compile-cache'
  const script = `mount --bind '${root}' '${root}' && ${remount}exec ${environment} chroot --userspec=${IMAGE_USER}:${IMAGE_USER} '${root}' ${quoted}`
  return ['unshare', ['--mount', 'sh', '-c', script]]
}

function inImage(root: string, args: readonly string[], readOnly: boolean): string {
  const [program, rest] = imageCommand(root, args, readOnly)
  return execFileSync(program, [...rest], { encoding: 'utf8' })
}

if (import.meta.main) {
  const { root, appMB } = rehearse((line) => process.stderr.write(`${line}\n`))
  process.stdout.write(`${root}, /app ${appMB} MB\n`)
}
