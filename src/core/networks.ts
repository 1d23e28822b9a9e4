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
  // Of a link-local address without its zone (`%eth0`).
  const [plain = ''] = address.split('%', 1)
  const family = familyOf(plain)
  return family !== null && networks.check(plain, family)
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  const version = isIP(address)
  return version === 0 ? null : version === 4 ? 'ipv4' : 'ipv6'
}
