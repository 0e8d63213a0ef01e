/** Ends the process with a clear message unless it runs on Node 24 or newer. Every command in test/ calls it first. */
export function requireNode24(): void {
  const major = Number(process.versions.node.split('.')[0])
  if (major >= 24) return
  process.stderr.write(
    `This needs Node 24, and this is Node ${process.versions.node} (${process.execPath}).\n` +
      'Run it through npm (npm test, npm run demo): that installs Node 24 and puts it first.\n',
  )
  process.exit(1)
}
