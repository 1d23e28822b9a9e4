import ipaddr from 'ipaddr.js'
import { BlockList, isIP } from 'node:net'

/** Reads addresses and CIDRs, separated by commas. @returns null when one of them cannot be read. */
export function parseNetworks(text: string): BlockList | null {
  const list = new BlockList()
  for (const entry of text.split(',')) {
    const [, address = '', bits] = /^\s*([\d.:a-f]+)(?:\/(\d{1,3}))?\s*$/i.exec(entry) ?? []
    const family = familyOf(address)
    const maxBits = family === 'ipv4' ? 32 : 128
    if (family === null || Number(bits ?? 0) > maxBits) return null
    list.addSubnet(address, Number(bits ?? maxBits), family)
  }
  return list
}

/** Whether an address, as Node writes it, is in one of the networks; an IPv4 address also where it is mapped into IPv6. */
export function contains(networks: BlockList, address: string): boolean {
  // The zone of a link-local address (`%eth0`) is left out.
  const [plain = ''] = address.split('%', 1)
  const family = familyOf(plain)
  return family !== null && networks.check(plain, family)
}

/**
 * What counts as one client where an address is counted: an IPv4 address, also one that is mapped into IPv6, or the /64 of an IPv6 address,
 * of which one customer has 2^64.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const [plain = ''] = address.split('%', 1)
  if (isIP(plain) !== 6) return address
  const parsed = ipaddr.IPv6.parse(plain)
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  const network = parsed.parts.slice(0, 4).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  const version = isIP(address)
  return version === 0 ? null : version === 4 ? 'ipv4' : 'ipv6'
}
