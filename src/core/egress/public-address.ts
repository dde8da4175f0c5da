import { BlockList, isIPv4, isIPv6 } from 'node:net';
import refusedRanges from './refused-ranges.json' with { type: 'json' };

// Global unicast. Mapped, NAT64, unique local, link-local and multicast addresses lie outside it.
const GLOBAL_V6 = ['2000::', 3] as const;
/** Special-purpose ranges of the IANA registries, and addresses that clouds use for themselves. */
const refused = new BlockList();
for (const version of ['ipv4', 'ipv6'] as const)
  for (const { network, bits } of refusedRanges[version]) refused.addSubnet(network, bits, version);
const global = new BlockList();
global.addSubnet(...GLOBAL_V6, 'ipv6');

/** True when an address belongs to the public internet; false when it cannot be parsed. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !refused.check(address, 'ipv4');
  // A zone, as in fe80::1%eth0, names an interface of this machine.
  if (!isIPv6(address) || address.includes('%')) return false;
  return global.check(address, 'ipv6') && !refused.check(address, 'ipv6');
}
