import { BlockList, isIP } from 'node:net'
import { trimEnd } from '../rules/trim-end.ts'

/*
 * Which addresses the sender of webhooks may call. Nothing here resolves a name: what stands behind one is judged when it is
 * connected to.
 */

/**
 * IPv4 networks that are not the public internet: the registry of special-purpose addresses (IANA, RFC 6890 and its updates),
 * multicast (RFC 5771), and the address at which Azure serves each machine its own metadata.
 */
const closedIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** IPv6: only global unicast is public (RFC 4291), so mapped, compatible, NAT64, local and link-local addresses all fall out. */
const openIpv6 = '2000::/3'

/** In global unicast, yet no plain host: Teredo and the rest of 2001::/23, documentation, 6to4, direct delegation AS112, 6bone. */
const closedIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3ffe::/16', '3fff::/20']

const closed = new BlockList()
const open = new BlockList()
for (const network of closedIpv4) addTo(closed, network, 'ipv4')
for (const network of closedIpv6) addTo(closed, network, 'ipv6')
addTo(open, openIpv6, 'ipv6')

function addTo(list: BlockList, network: string, family: 'ipv4' | 'ipv6'): void {
  const [address = '', prefix] = network.split('/')
  list.addSubnet(address, Number(prefix), family)
}

/** Whether an address, as a resolver or the URL parser writes it, is one of the public internet. False for what is no address. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !closed.check(address, 'ipv4')
  // A zone (`%eth0`) only ever goes with addresses that are not public.
  if (family !== 6 || address.includes('%')) return false
  return open.check(address, 'ipv6') && !closed.check(address, 'ipv6')
}

/** What a URL may not be, as the `code` of the answer's details. */
export type TargetFault =
  | 'invalid'
  | 'https-required'
  | 'credentials-not-allowed'
  | 'port-not-allowed'
  | 'private-address'

export interface TargetRules {
  /** Production: plain HTTP is refused. */
  readonly httpsOnly: boolean
  /** Staging, where it is set: addresses that are not public may be called. */
  readonly allowPrivate: boolean
}

const longestUrl = 2_000
const firstFreePort = 1_024

/**
 * What is wrong with the URL of an endpoint; null when it may be called. The one parser that also makes the call reads it, so
 * that no spelling of a host (decimal, octal, hexadecimal, short, full-width, percent-encoded) means one thing here and another there.
 */
export function targetFault(text: string, rules: TargetRules): TargetFault | null {
  if (text.length > longestUrl || !/^https?:\/\/[^\s\p{Cc}\\]+$/iu.test(text) || !URL.canParse(text)) return 'invalid'
  const url = new URL(text)
  if (url.protocol !== 'https:' && rules.httpsOnly) return 'https-required'
  if (url.username !== '' || url.password !== '') return 'credentials-not-allowed'
  const port = url.port === '' ? null : Number(url.port)
  // Below are mail, files, remote shells and the like: nothing that takes webhooks, and much that misreads one.
  if (port !== null && port !== 80 && port !== 443 && port < firstFreePort) return 'port-not-allowed'
  return !rules.allowPrivate && isPrivateHost(hostOf(url)) ? 'private-address' : null
}

/** The host of a URL as it is connected to: an address without brackets, or a name. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

/** Whether the host spells out an address that is not public; `localhost` is one (RFC 6761). Dots of the root do not hide it. */
function isPrivateHost(host: string): boolean {
  const bare = trimEnd(host, '.')
  if (isIP(bare) !== 0) return !isPublicAddress(bare)
  return bare === '' || isLocalhost(bare)
}

/** `localhost` and names under it, with or without the dot of the root. */
export function isLocalhost(host: string): boolean {
  return /^(.+\.)?localhost\.*$/i.test(host)
}
