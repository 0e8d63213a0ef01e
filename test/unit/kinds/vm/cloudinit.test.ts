/** Documents of cloud-init, as people write them, in the one form that the service takes. */
import { describe, expect, test } from 'vitest'
import { cloudInitFrom } from '../../../../src/kinds/vm/cloudinit.ts'
import { StepRefused } from '../../../../src/reconcile/refused.ts'

const FIELD = 'spec.cloudInit.secretRef'
const sent = (text: string): unknown => JSON.parse(cloudInitFrom(FIELD, text))

const FILE = { path: '/etc/motd', content: 'hello\n' }

test.each<[string, string, unknown]>([
  ['YAML with its usual first line', '#cloud-config\nruncmd:\n  - uptime\n', { runcmd: ['uptime'] }],
  [
    'commands as lists',
    'runcmd:\n- [ls, -l, /]\n- [sleep, 5]\n',
    {
      runcmd: [
        ['ls', '-l', '/'],
        ['sleep', 5],
      ],
    },
  ],
  [
    'files',
    '#cloud-config\nwrite_files:\n- path: /etc/motd\n  content: |\n    hello\n',
    { write_files: [FILE] },
  ],
  ['JSON', JSON.stringify({ write_files: [FILE], runcmd: ['ls'] }), { write_files: [FILE], runcmd: ['ls'] }],
  ['JSON after the first line', '#cloud-config\n{"runcmd": ["ls"]}', { runcmd: ['ls'] }],
  [
    'octal permissions, as the guest reads them',
    'write_files:\n- path: /etc/a\n  permissions: 0640\n- path: /etc/b\n  permissions: "0600"\n',
    {
      write_files: [
        { path: '/etc/a', permissions: '0640' },
        { path: '/etc/b', permissions: '0600' },
      ],
    },
  ],
  [
    'parts used twice',
    'write_files:\n- &a {path: /a, content: x}\n- {<<: *a, path: /b}\n',
    {
      write_files: [
        { path: '/a', content: 'x' },
        { path: '/b', content: 'x' },
      ],
    },
  ],
])('%s', (_title, text, expected) => {
  expect(sent(text)).toEqual(expected)
})

describe('refused, with the key or the line at fault and nothing of what is in it', () => {
  const SECRET = 'hunter22-hunter22'
  test.each([
    ['another key', `runcmd: [ls]\npackages: [${SECRET}]`, 'the key packages'],
    ['a key that is no word', `"${SECRET}: ${SECRET}": 1`, 'has a key, and'],
    ['no YAML', `runcmd: [ls]\n  - ${SECRET}: [`, '(line 2)'],
    ['a text', SECRET, 'must be a mapping'],
    ['a list', `- ${SECRET}`, 'must be a mapping'],
    ['nothing', '#cloud-config\n', 'must be a mapping'],
    ['one command', `runcmd: ${SECRET}`, 'runcmd must be a list'],
    ['a command of maps', `runcmd: [{a: ${SECRET}}]`, 'runcmd must be a list'],
    ['a file without a path', `write_files: [{content: ${SECRET}}]`, 'write_files must be a list'],
    [
      'binary content',
      'write_files: [{path: /a, content: !!binary aHVudGVyMjI=}]',
      'binary content takes encoding: b64',
    ],
    ['an alias of nothing', 'runcmd: [*a]', 'neither YAML nor JSON'],
  ])('%s', (_title, text, words) => {
    expect(() => sent(text)).toThrow(StepRefused)
    try {
      sent(text)
    } catch (error) {
      const { message } = error as Error
      expect(message).toMatch(/^spec\.cloudInit\.secretRef: /)
      expect(message).toContain(words)
      expect(message).not.toContain('hunter22')
    }
  })
})
