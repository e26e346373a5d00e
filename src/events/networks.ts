// Which addresses a webhook may reach: none in our own network. The address that is checked is the one that is then connected to, so a name
// can't resolve to another address in between.
import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { ConfigError } from '../config.ts';

/** From IANA's special-purpose registries: networks that aren't globally reachable. */
const SPECIAL_4 = [
  ...[
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
  ],
  ...[
    '192.31.196.0/24',
    '192.52.193.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
    '192.175.48.0/24',
    '198.18.0.0/15',
    '198.51.100.0/24',
  ],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // Azure: a public address that answers each virtual machine itself, with what the platform knows about it.
  '168.63.129.16/32',
];

/** Everything outside 2000::/3, with the parts that a network must not have by chance, and the special networks inside it. */
const SPECIAL_6 = [
  ...['::/3', '::/128', '::1/128', '4000::/2', '8000::/1', 'fc00::/7', 'fe80::/10', 'ff00::/8'],
  ...['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
  // IPv4 addresses in their IPv6 form, which reach the same hosts.
  ...SPECIAL_4.map((network) => `::ffff:${addressIn(network)}/${96 + bitsOf(network)}`),
];

export const FORBIDDEN_ADDRESS = 'forbidden_address';

export class ForbiddenAddressError extends Error {
  readonly code = FORBIDDEN_ADDRESS;
}

export interface Networks {
  /** Whether a webhook may connect to an address. */
  isAllowed(address: string): boolean;
  /** Whether an address is in a network that the operator named. */
  isNamed(address: string): boolean;
}

/**
 * @param operatorNetworks Networks that the operator named: they are allowed even if they are special.
 * @throws {ConfigError} One of them has a special network as a part: ::/0 would open everything, and nobody means 127.0.0.1 by it.
 */
export function createNetworks(operatorNetworks: readonly string[] = []): Networks {
  for (const network of operatorNetworks) {
    const part = [...SPECIAL_4, ...SPECIAL_6].find((special) => isPartOf(special, network));
    if (part !== undefined)
      throw new ConfigError(`WEBHOOK_ALLOW is too wide: ${network} includes ${part}. Name only the networks that webhooks need.`);
  }
  const isSpecial = listsOf([...SPECIAL_4, ...SPECIAL_6]);
  const isNamed = listsOf(operatorNetworks);
  return { isNamed, isAllowed: (address) => isNamed(address) || (isIP(address) !== 0 && !isSpecial(address)) };
}

/** The DNS lookup of a connection. It fails if any address of the name isn't allowed. @param resolve For tests. */
export const lookupOnly =
  (isAllowed: (address: string) => boolean, resolve: typeof lookup = lookup): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '', 0);
      const [first] = found;
      if (first === undefined || !found.every(({ address }) => isAllowed(address)))
        return callback(new ForbiddenAddressError(), '', 0);
      if (options.all) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };

function addressIn(network: string): string {
  return network.split('/')[0] ?? '';
}

function bitsOf(network: string): number {
  return Number(network.split('/')[1]);
}

/** Whether a network is a smaller part of another one. */
const isPartOf = (part: string, whole: string): boolean => bitsOf(whole) < bitsOf(part) && listsOf([whole])(addressIn(part));

/** Whether an address is in one of the networks. Each version has its own list: Node would find an IPv4 address in ::/0. */
function listsOf(networks: readonly string[]): (address: string) => boolean {
  const lists = { 4: new BlockList(), 6: new BlockList() };
  for (const network of networks) {
    const version = isIP(addressIn(network)) === 6 ? 6 : 4;
    lists[version].addSubnet(addressIn(network), bitsOf(network), `ipv${version}`);
  }
  return (address) => {
    const version = isIP(address);
    return (version === 4 || version === 6) && lists[version].check(address, `ipv${version}`);
  };
}
