// A client's address, and the key under which its requests are counted. Pure.
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** Behind proxies, the address that the outermost trusted proxy saw. With two of them and `X-Forwarded-For: a, b, c`, it is b. */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const direct = request.socket.remoteAddress ?? '';
  const forwarded = trustedProxies === 0 ? [] : String(request.headers['x-forwarded-for'] ?? '').split(',');
  const entries = forwarded.map((entry) => entry.trim()).filter(Boolean);
  return readAddress(entries.at(-trustedProxies) ?? entries[0] ?? '') ?? readAddress(direct) ?? direct;
}

/** An address in one spelling: without brackets, port and zone, and IPv4 never in its IPv6 form. Undefined: the text is no address. */
export function readAddress(text: string): string | undefined {
  if (isIP(text) === 4) return text;
  const bare = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const address = bare.replace(/%.*$/, '').toLowerCase();
  if (isIP(address) === 4) return address;
  // URL writes IPv6 in its shortest form (RFC 5952), with an embedded IPv4 address as two groups: ::ffff:c000:201.
  const short = isIP(address) === 6 ? URL.parse(`http://[${address}]`)?.hostname.slice(1, -1) : undefined;
  const groups = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(short ?? '')?.slice(1);
  return groups?.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]).join('.') ?? short;
}

/** The key by which requests are counted. A customer has a whole /64 of IPv6, so counting single addresses would limit nobody. */
export function addressKey(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = [], tail] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length;
  return [...head, ...Array<string>(zeros).fill('0'), ...(tail ?? [])].slice(0, 4).join(':');
}
