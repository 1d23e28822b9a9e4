import { BlockList, isIP } from 'node:net'
import { trimEnd } from '#platform/core/trim-end.ts'
import type { Message } from '#kernel/messages.ts'

/*
 * Which addresses the sender of webhooks may call. Nothing here resolves a name: the addresses of a name are checked at the connection.
 */

/**
 * IPv4 networks that are not public: the registry of special-purpose addresses (IANA, RFC 6890 and its updates), multicast (RFC 5771),
 * and the metadata address of Azure.
 */
const privateIpv4 = [
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

/** Only global unicast is public (RFC 4291): not mapped, compatible, NAT64, local and link-local addresses. */
const globalIpv6 = '2000::/3'

/** Exceptions within global unicast: Teredo and the rest of 2001::/23, documentation, 6to4, direct delegation AS112, 6bone. */
const privateIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3ffe::/16', '3fff::/20']

/**
 * Link-local networks and the metadata services of clouds (AWS, Google, Azure, Alibaba, Oracle). They serve credentials of the
 * machine, so no setting allows them.
 */
const neverIpv4 = ['169.254.0.0/16', '100.100.100.200/32', '168.63.129.16/32', '192.0.0.192/32']
/** Also local-use NAT64 (RFC 8215) and Teredo (RFC 4380), which embed an IPv4 address that cannot be checked here. */
const neverIpv6 = ['fe80::/10', 'fd00:ec2::254/128', 'fd20:ce::254/128', '64:ff9b:1::/48', '2001::/32']

/** IPv6 prefixes of 96 bits before an IPv4 address: compatible, translated, NAT64. `BlockList` handles mapped addresses. */
const ipv4Prefixes = ['::', '::ffff:0:', '64:ff9b::']

const privateAddresses = new BlockList()
const globalUnicast = new BlockList()
const never = new BlockList()
for (const network of neverIpv4) {
  addTo(never, network, 'ipv4')
  const [address = '', bits] = network.split('/')
  for (const prefix of ipv4Prefixes) never.addSubnet(prefix + address, 96 + Number(bits), 'ipv6')
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  // 6to4 (RFC 3056)
  never.addSubnet(`2002:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}::`, 16 + Number(bits), 'ipv6')
}
for (const network of neverIpv6) addTo(never, network, 'ipv6')
for (const network of privateIpv4) addTo(privateAddresses, network, 'ipv4')
for (const network of privateIpv6) addTo(privateAddresses, network, 'ipv6')
addTo(globalUnicast, globalIpv6, 'ipv6')

function addTo(list: BlockList, network: string, family: 'ipv4' | 'ipv6'): void {
  const [address = '', prefix] = network.split('/')
  list.addSubnet(address, Number(prefix), family)
}

/** Whether an address, as a resolver or the URL parser writes it, is public. False when it is not an address. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !privateAddresses.check(address, 'ipv4')
  // Only addresses that are not public have a zone (`%eth0`).
  if (family !== 6 || address.includes('%')) return false
  return globalUnicast.check(address, 'ipv6') && !privateAddresses.check(address, 'ipv6')
}

/** Whether the sender may connect to an address, as a resolver writes it. @param allowPrivate also addresses that are not public. */
export function mayConnectTo(address: string, allowPrivate: boolean): boolean {
  if (!allowPrivate) return isPublicAddress(address)
  const family = isIP(address)
  // Only link-local addresses have a zone (`%eth0`).
  if (family === 0 || address.includes('%')) return false
  return !never.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/** Why a URL is not allowed, as the `code` of the error's details. */
type BlockedTarget = 'invalid' | 'https-required' | 'credentials-not-allowed' | 'port-not-allowed' | 'private-address'

export interface TargetRules {
  /** In production: plain HTTP is refused. */
  readonly httpsOnly: boolean
  /** Allows addresses that are not public, except link-local ones and metadata services. For staging only. */
  readonly allowPrivate: boolean
}

const maxUrlCharacters = 2_000
const firstUserPort = 1_024

/**
 * Why the URL of an endpoint is not allowed; null when it may be called. The check and the call use the same parser, so that every
 * spelling of a host (decimal, octal, hexadecimal, short, full-width, percent-encoded) means the same to both.
 */
export function blockedTarget(text: string, rules: TargetRules): BlockedTarget | null {
  if (text.length > maxUrlCharacters || !/^https?:\/\/[^\s\p{Cc}\\]+$/iu.test(text) || !URL.canParse(text))
    return 'invalid'
  const url = new URL(text)
  if (url.protocol !== 'https:' && rules.httpsOnly) return 'https-required'
  if (url.username !== '' || url.password !== '') return 'credentials-not-allowed'
  const port = url.port === '' ? null : Number(url.port)
  // System ports belong to mail, file transfer, remote shells: protocols that could misread a call.
  if (port !== null && port !== 80 && port !== 443 && port < firstUserPort) return 'port-not-allowed'
  return mayCallHost(url.hostname, rules.allowPrivate) ? null : 'private-address'
}

/** How to correct the URL of an endpoint, for the error's `message`. */
export function targetMessage(code: BlockedTarget, rules: TargetRules): Message {
  return { key: code === 'private-address' && rules.allowPrivate ? 'url-link-local' : `url-${code}` }
}

/**
 * The normal form of a URL (RFC 3986, 6.2): URLs with the same normal form are the same endpoint.
 * @param text a URL that `blockedTarget` allows.
 */
export function normalizeUrl(text: string): string {
  const url = new URL(text)
  url.hash = ''
  url.hostname = trimEnd(url.hostname, '.')
  return url.href.replaceAll(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : code.toUpperCase()
  })
}

/** Checks addresses and `localhost` (RFC 6761), with or without the dot of the root; the addresses of other names are checked at the connection. */
export function mayCallHost(hostname: string, allowPrivate: boolean): boolean {
  const host = trimEnd(hostname.replace(/^\[(.*)\]$/, '$1'), '.')
  if (isIP(host) !== 0) return mayConnectTo(host, allowPrivate)
  return allowPrivate || (host !== '' && !isLocalhost(host))
}

/** `localhost` and names under it, with or without the dot of the root. */
export function isLocalhost(host: string): boolean {
  return /^(.+\.)?localhost\.*$/i.test(host)
}
