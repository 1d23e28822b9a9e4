import type { FastifyRequest } from 'fastify'
import { BlockList } from 'node:net'
import { readDemoPartner } from '../../demo/demo.ts'
import type { Context } from '#platform/http/context.ts'
import { contains } from '#platform/core/networks.ts'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

const loopbackHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i
const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'] as const

/** The credentials of the demo partner, for a browser on the machine of the service. */
interface DemoCredentials {
  readonly 'client-id': string
  readonly 'client-secret': string
}

/**
 * The credentials of the demo partner, which the start of the service prints on the same machine. null without a demo, when the partner is
 * revoked, and for whoever may be on another machine: see docs/decisions/0035-reference-page.md.
 */
export async function demoClientFor(request: FastifyRequest, context: Context): Promise<DemoCredentials | null> {
  const { config } = context
  const isLocal = config.publicUrl === null && config.trustedProxies === null && isFromThisMachine(request)
  if (config.environment !== 'staging' || !config.demo || !isLocal) return null
  const partner = await readDemoPartner(context)
  return partner === null ? null : { 'client-id': partner.clientId, 'client-secret': partner.clientSecret }
}

/** Neither through a proxy, nor by the script of a page of another site, whose name may lead to this machine (DNS rebinding). */
function isFromThisMachine({ raw, headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'] ?? 'same-origin'
  return (
    contains(loopback, raw.socket.remoteAddress ?? '') &&
    loopbackHost.test(headers.host ?? '') &&
    proxyHeaders.every((name) => headers[name] === undefined) &&
    (site === 'same-origin' || site === 'none')
  )
}
