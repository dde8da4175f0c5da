import { isIP } from 'node:net';
import { memoizeText } from '../memory/memoize-text.ts';

/**
 * The unit of rate limits by address: an IPv4 address or an IPv6 /64. Only this file creates it, so that no
 * limit can count a bare address by mistake.
 */
export type AddressGroup = string & { readonly addressGroup: never };

/** Group of a request's address, resolved through trusted proxies; empty once the caller hung up. */
export function callerGroup(request: { ip: string | undefined }): AddressGroup {
  return addressGroup(request.ip ?? '');
}

/** Returns the group of an address. A text that is not an address is its own group. */
export const addressGroup = memoizeText((address) => groupText(address) as AddressGroup, 10_000);

function groupText(address: string): string {
  if (isIP(address) !== 6) return address;
  const words = wordsOf(address);
  const [high = 0, low = 0] = words.slice(6);
  const mapped = words.slice(0, 5).every((word) => word === 0) && words[5] === 0xffff;
  if (mapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return `${hexadecimal(words.slice(0, 4))}::/64`;
}

/** Returns the eight words of an IPv6 address; the last two may be in IPv4 notation. */
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
