/** Where the demo writes: lines that scroll and, on a terminal, a block below them that is drawn again in place. */
import type { WriteStream } from 'node:tty'

export interface Screen {
  /** Whether lines can be drawn again. */
  readonly terminal: boolean
  /** Characters that fit in a line. */
  width(): number
  line(text?: string): void
  /** Keeps these lines below all others, each at most `width` long; [] takes them away. Nothing on a plain output. */
  pin(lines: readonly string[]): void
}

const plainWidth = 120
const upAndClear = (lines: number) => (lines === 0 ? '' : `\x1b[${lines}A\r\x1b[J`)

export function createScreen(out: WriteStream): Screen {
  const terminal = out.isTTY && process.env['TERM'] !== 'dumb'
  if (!terminal) {
    return {
      terminal: false,
      width: () => plainWidth,
      line: (text = '') => void out.write(`${text}\n`),
      pin: () => undefined,
    }
  }
  let pinned: readonly string[] = []
  let drawn = 0
  const draw = (above: string): void => {
    // What does not fit on the terminal could not be taken back.
    const fits = pinned.length < (out.rows || 24) - 1 ? pinned : []
    out.write(upAndClear(drawn) + above + fits.map((line) => `${line}\n`).join(''))
    drawn = fits.length
  }
  return {
    terminal: true,
    // Some terminals tell no size.
    width: () => (out.columns || 80) - 1,
    line: (text = '') => draw(`${text}\n`),
    pin: (lines) => {
      pinned = lines
      draw('')
    },
  }
}
