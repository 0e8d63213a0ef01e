/** What a CloudVM says about the inside of its guest: the user, and cloud-init as far as the service supports it. */
import { z } from 'zod'
import { list, ruled } from './schema.ts'
import { configMapKeyReference, secretKeyReference } from './shared.ts'

const file = z.object({
  path: z
    .string()
    .min(2)
    .max(1024)
    .regex(/^\/\S/)
    .describe('Absolute path in the guest. Required. Example: /etc/motd'),
  content: z
    .string()
    .max(65_536)
    .exactOptional()
    .describe('Content of the file, encoded as encoding says. Default: empty.'),
  permissions: z
    .string()
    .regex(/^[0-7]{3,4}$/)
    .max(4)
    .exactOptional()
    .describe('Permissions in octal, as a string. Default: 0644. Example: "0600"'),
  owner: z
    .string()
    .min(1)
    .max(128)
    .regex(/^[A-Za-z0-9_.-]+(:[A-Za-z0-9_.-]+)?$/)
    .exactOptional()
    .describe('Owner of the file, as user:group. Default: root:root. Example: www-data:www-data'),
  encoding: z
    .enum(['text/plain', 'b64', 'base64', 'gz', 'gzip', 'gz+b64', 'gz+base64', 'gzip+b64', 'gzip+base64'])
    .exactOptional()
    .describe('How content is encoded. Default: text/plain.'),
  append: z
    .boolean()
    .exactOptional()
    .describe('true: content is put at the end of an existing file. Default: false.'),
  defer: z
    .boolean()
    .exactOptional()
    .describe('true: the file is written late, after users and packages are there. Default: false.'),
})

export const cloudInit = ruled(
  z.object({
    runcmd: list(z.string().min(1).max(8192).describe('One line for the shell'), 128)
      .exactOptional()
      .describe(
        'Commands run by the shell at first boot, in order. Default: none. Example: ["apt-get update"]',
      ),
    writeFiles: list(file, 32)
      .exactOptional()
      .describe('Files written at first boot, before the commands. Default: none.'),
    secretRef: secretKeyReference
      .exactOptional()
      .describe(
        'The same as a document in a Secret, in the format of cloud-init: YAML or JSON with runcmd and write_files, the only keys that the service supports. Default: none.',
      ),
    configMapRef: configMapKeyReference
      .exactOptional()
      .describe(
        'The same as a document in a ConfigMap, in the format of cloud-init: YAML or JSON with runcmd and write_files, the only keys that the service supports. Default: none.',
      ),
  }),
  [
    {
      rule: '[has(self.runcmd) || has(self.writeFiles), has(self.secretRef), has(self.configMapRef)].filter(x, x).size() <= 1',
      holds: ({ runcmd, writeFiles, secretRef, configMapRef }) =>
        [runcmd ?? writeFiles, secretRef, configMapRef].filter((each) => each !== undefined).length <= 1,
      message: 'cloudInit: say it in one way: runcmd and writeFiles, or secretRef, or configMapRef',
    },
  ],
)
export type CloudInit = z.infer<typeof cloudInit>

/** Spec fields of a CloudVM. */
export const guestShape = {
  username: z
    .string()
    .min(1)
    .max(64)
    .regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/)
    .exactOptional()
    .describe(
      "Name of the user made in the guest. Frozen once a cloud object may exist. Default: the service's choice. Example: admin",
    ),
  passwordSecretRef: secretKeyReference
    .exactOptional()
    .describe(
      "Password of that user, in a Secret. Mutable: a changed Secret is applied while the VM runs, at the latest with the account's next interval. Default: none is set.",
    ),
  publicKey: z
    .string()
    .min(1)
    .max(16_384)
    .regex(/^(ssh-|ecdsa-|sk-)[^\r\n]*\n?$/)
    .exactOptional()
    .describe(
      'SSH public key of that user, one line in OpenSSH format. Frozen once a cloud object may exist. Default: none. Example: ssh-ed25519 AAAA… me@example.com',
    ),
  cloudInit: cloudInit
    .exactOptional()
    .describe(
      'What the guest does at its first boot, in the parts of cloud-init that the service supports; a document that is referred to is used once, at creation. Frozen once a cloud object may exist. Default: nothing.',
    ),
} as const
