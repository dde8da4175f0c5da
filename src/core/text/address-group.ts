import { isIP } from 'node:net';
import { remember } from '../memory/remember.ts';

/**
 * Whom guards count as one caller: an address of IPv4, however it is written, or a /64 of IPv6, because whoever has one
 * address there mostly has all of them. It is made here only, so that no guard can count a bare address.
 */
export type AddressGroup = string & { readonly addressGroup: never };

/** The group of the address that a request came from, seen through the proxies that are trusted; none once it hung up. */
export function callerGroup(request: { ip: string | undefined }): AddressGroup {
  return addressGroup(request.ip ?? '');
}

/** What is no address at all is a group of its own. */
export const addressGroup = remember((address) => groupText(address) as AddressGroup, 10_000);

function groupText(address: string): string {
  if (isIP(address) !== 6) return address;
  const words = wordsOf(address);
  const [high = 0, low = 0] = words.slice(6);
  const mapped = words.slice(0, 5).every((word) => word === 0) && words[5] === 0xffff;
  if (mapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return `${hexadecimal(words.slice(0, 4))}::/64`;
}

/** The eight words of an address of IPv6; the last two may be written as an address of IPv4. */
function wordsOf(address: string): number[] {
  const plain = address.replace(/%.*$/, '').replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...parts) => {
    const [a, b, c, d] = parts.slice(0, 4).map(Number) as [number, number, number, number];
    return hexadecimal([a * 256 + b, c * 256 + d]);
  });
  const [head = [], tail] = plain
    .split('::')
    .map((side) => (side === '' ? [] : side.split(':').map((word) => Number.parseInt(word, 16))));
  if (tail === undefined) return head;
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

function hexadecimal(words: readonly number[]): string {
  return words.map((word) => word.toString(16)).join(':');
}
