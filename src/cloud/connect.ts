/** Opens a TCP or TLS connection to the service, limited by the injected clock. */
import * as net from 'node:net'
import * as tls from 'node:tls'
import type { Clock } from '../loop/clock.ts'
import { TransportFailure } from './wire.ts'

export interface ConnectTarget {
  readonly hostname: string
  readonly port: string
  readonly protocol: string
}

export type Connected = (
  ...result: [failure: null, socket: net.Socket] | [failure: Error, socket: null]
) => void

/** Calls back exactly once; returns the socket so that an unwanted attempt can be destroyed. */
export type Connect = (target: ConnectTarget, connected: Connected) => net.Socket | undefined

/** Certificates are always verified, whatever the environment says; TLS sessions are resumed. */
export function createConnect(clock: Clock, connectMs: number): Connect {
  let session: Buffer | undefined
  return (target, connected) => {
    const secure = target.protocol === 'https:'
    const socket = secure ? openTls(target, session) : openTcp(target)
    let settled = false
    const settle = (...result: Parameters<Connected>) => {
      if (settled) return
      settled = true
      cancel()
      connected(...result)
    }
    const fail = (why: string, cause?: unknown) => {
      const message = `cannot connect to ${target.hostname}: ${why}`
      settle(new TransportFailure('connect', false, message, cause), null)
    }
    const cancel = clock.after(connectMs, () => {
      fail(`no connection within ${connectMs / 1000} s`)
      socket.destroy()
    })
    socket.setNoDelay(true)
    socket.setKeepAlive(true, 60_000)
    socket.once(secure ? 'secureConnect' : 'connect', () => settle(null, socket))
    socket.on('session', (ticket: Buffer) => (session = ticket))
    socket.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message, error))
    socket.once('close', () => fail('closed'))
    return socket
  }
}

function openTcp(target: ConnectTarget): net.Socket {
  return net.connect({ host: target.hostname, port: Number(target.port || 80) })
}

function openTls(target: ConnectTarget, session: Buffer | undefined): net.Socket {
  return tls.connect({
    host: target.hostname,
    port: Number(target.port || 443),
    ...(net.isIP(target.hostname) === 0 ? { servername: target.hostname } : {}),
    ...(session === undefined ? {} : { session }),
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
  })
}
