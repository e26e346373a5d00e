// A client address has one spelling only, so that another spelling of it doesn't get a new rate limit.
import type { IncomingMessage } from 'node:http';
import t from 'tap';
import { addressKey, clientAddress, readAddress } from '../../src/http/address.ts';

const from = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

t.test('an address has one spelling, whatever form it comes in', async (t) => {
  for (const [text, address] of [
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:50123', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:C000:0201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['[::ffff:192.0.2.1]:50123', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]:443', 'fe80::1'],
    ['::1', '::1'],
    ['unknown', undefined],
    ['_hidden', undefined],
    ['', undefined],
    ['192.0.2.256', undefined],
    ['[]', undefined],
  ] as const) {
    t.equal(readAddress(text), address, text);
  }
});

t.test('the addresses of one IPv6 /64 have one key, and IPv4 addresses each their own', async (t) => {
  t.equal(addressKey('2001:db8:0:1::1'), addressKey('2001:db8:0:1:ffff:ffff:ffff:ffff'));
  t.not(addressKey('2001:db8:0:1::1'), addressKey('2001:db8:0:2::1'));
  t.equal(addressKey('::1'), '0:0:0:0');
  t.equal(addressKey('2001:db8::'), '2001:db8:0:0');
  t.not(addressKey('192.0.2.1'), addressKey('192.0.2.2'));
});

t.test('behind proxies the address is the one that the outermost of them saw', async (t) => {
  t.equal(clientAddress(from('::ffff:10.0.0.1'), 0), '10.0.0.1');
  t.equal(clientAddress(from('10.0.0.1', '192.0.2.1'), 0), '10.0.0.1');
  t.equal(clientAddress(from('10.0.0.1', '198.51.100.7, 192.0.2.1:443'), 1), '192.0.2.1');
  t.equal(clientAddress(from('10.0.0.1', '192.0.2.1, 10.0.0.2'), 2), '192.0.2.1');
  t.equal(clientAddress(from('10.0.0.1', '192.0.2.1'), 2), '192.0.2.1', 'fewer entries than proxies');
  t.equal(clientAddress(from('10.0.0.1', 'unknown'), 1), '10.0.0.1', 'a proxy that hides the address');
  t.equal(clientAddress(from('10.0.0.1'), 1), '10.0.0.1');
});
