/**
 * A small S3 endpoint that believes nobody: it checks the signature (version 4) of each request against one key pair, and
 * answers ListBuckets. For proving that a Secret holds what S3 clients read.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface S3Endpoint {
  readonly url: string
  /** Requests whose signature was right, and those whose was not. */
  readonly seen: { right: number; wrong: number }
  stop(): Promise<void>
}

export async function startS3(pair: { readonly id: string; readonly secret: string }): Promise<S3Endpoint> {
  const seen = { right: 0, wrong: 0 }
  const server = createServer((request, response) => {
    const right = isSigned(request, pair)
    seen[right ? 'right' : 'wrong']++
    response.setHeader('content-type', 'application/xml')
    if (!right) {
      response.statusCode = 403
      response.end('<Error><Code>SignatureDoesNotMatch</Code><Message>no</Message></Error>')
      return
    }
    response.end(
      '<ListAllMyBucketsResult><Buckets><Bucket><Name>proof</Name></Bucket></Buckets></ListAllMyBucketsResult>',
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

function isSigned(request: IncomingMessage, pair: { readonly id: string; readonly secret: string }): boolean {
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d+)\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
      request.headers.authorization ?? '',
    )
  if (match === null) return false
  const [, id = '', day = '', region = '', names = '', signature = ''] = match
  const headers = names.split(';').map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`)
  const url = new URL(request.url ?? '/', 'http://host')
  const query = [...url.searchParams]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&')
  const body = String(request.headers['x-amz-content-sha256'] ?? '')
  const canonical = [request.method, url.pathname, query, headers.join(''), names, body].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const key = ['s3', 'aws4_request'].reduce<Buffer>(
    (made, part) => hmac(made, part),
    hmac(hmac(`AWS4${pair.secret}`, day), region),
  )
  const expected = hmac(key, toSign)
  const given = Buffer.from(signature, 'hex')
  return id === pair.id && given.length === expected.length && timingSafeEqual(given, expected)
}
