// Which addresses a webhook may reach: none that lead back to our own network. Asked with the address that is then connected to, so that a name
// can't change between.
import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** IANA's special-purpose registries: what isn't globally reachable, and what carries an IPv4 address. */
const SPECIAL = [
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
  // All but 2000::/3, and in it what is special.
  ...['::/3', '4000::/2', '8000::/1', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
];

const isVersion4 = (network: string) => network.includes('.');

export const FORBIDDEN_ADDRESS = 'forbidden_address';

export class ForbiddenAddressError extends Error {
  readonly code = FORBIDDEN_ADDRESS;
}

export interface Networks {
  /** Whether a webhook may connect to an address. */
  isAllowed(address: string): boolean;
  /** Whether it is in a network that the operator named. */
  isNamed(address: string): boolean;
}

/** @param named Networks that are allowed all the same. */
export function createNetworks(named: readonly string[] = []): Networks {
  // A list for each: Node takes an IPv4 address for the IPv6 one that carries it, all of which are special.
  const special = {
    4: blockListOf(SPECIAL.filter(isVersion4)),
    6: blockListOf(SPECIAL.filter((network) => !isVersion4(network))),
  };
  const allowed = blockListOf(named);
  const check = (list: BlockList, address: string) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  const isNamed = (address: string) => isIP(address) !== 0 && check(allowed, address);
  const isSpecial = (address: string) => check(special[isIP(address) === 6 ? 6 : 4], address);
  return { isNamed, isAllowed: (address) => isNamed(address) || (isIP(address) !== 0 && !isSpecial(address)) };
}

/** For connecting: fails if a name has any other address. @param resolve For tests. */
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

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}
