// Which addresses a webhook may reach: none in our own network. The address that is checked is the one that is then connected to, so a name
// can't resolve to another address in between.
import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** From IANA's special-purpose registries: networks that aren't globally reachable, and IPv6 networks that embed IPv4 addresses. */
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
  // Everything outside 2000::/3, and the special networks inside it.
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
  /** Whether an address is in a network that the operator named. */
  isNamed(address: string): boolean;
}

/** @param operatorNetworks Networks that the operator named: they are allowed even if they are special. */
export function createNetworks(operatorNetworks: readonly string[] = []): Networks {
  // One list for each version. In a common list, Node would also look for an IPv4 address in its IPv6 form, which is always special.
  const special = {
    4: blockListOf(SPECIAL.filter(isVersion4)),
    6: blockListOf(SPECIAL.filter((network) => !isVersion4(network))),
  };
  const allowed = blockListOf(operatorNetworks);
  const check = (list: BlockList, address: string) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  const isNamed = (address: string) => isIP(address) !== 0 && check(allowed, address);
  const isSpecial = (address: string) => check(special[isIP(address) === 6 ? 6 : 4], address);
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

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}
