// What the DNS says of the domains that emails come from: DMARC (RFC 7489), DKIM's key (RFC 6376), SPF of the return path (RFC 7208).
import { Resolver } from 'node:dns/promises';
import type { Finding } from './finding.ts';

export interface SenderNames {
  /** Of senders' addresses. */
  readonly domains: readonly string[];
  /** Of the return path, which the relay sets. */
  readonly returnPath?: string | undefined;
  /** Of each domain. */
  readonly selector?: string | undefined;
  /** The DNS server to ask; undefined: the system's. */
  readonly resolver?: string | undefined;
}

const TIMEOUT_MS = 3_000;
/** No such name, or no TXT record. */
const NONE = ['ENOTFOUND', 'ENODATA'];

export async function checkSender({ domains, returnPath, selector, resolver: server }: SenderNames): Promise<Finding[]> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
  if (server !== undefined) resolver.setServers([server]);
  const read = async (name: string): Promise<string[]> => {
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
    } catch (error) {
      if (NONE.includes((error as NodeJS.ErrnoException).code ?? '')) return [];
      throw error;
    }
  };
  const finding = (state: Finding['state'], text: string, advice?: string): Finding => ({
    subject: 'sender',
    state,
    text,
    ...(advice !== undefined && { advice }),
  });

  const dmarc = async (domain: string): Promise<Finding> => {
    // The organization's record holds for its subdomains; its domain has at least two labels.
    const labels = domain.split('.');
    for (const [index] of labels.slice(0, -1).entries()) {
      const name = `_dmarc.${labels.slice(index).join('.')}`;
      const records = (await read(name)).filter((text) => /^v=DMARC1\s*(;|$)/.test(text));
      if (records.length > 1)
        return finding('fault', `${name} has ${records.length} DMARC records`, 'Leave one: several count as none.');
      const policy = /;\s*p\s*=\s*(none|quarantine|reject)\b/i.exec(records[0] ?? '')?.[1];
      if (records.length === 1 && policy === undefined)
        return finding('fault', `${name} has no policy`, 'Give it p=none, quarantine or reject.');
      if (policy !== undefined) return finding('ok', `DMARC ${policy} for ${domain} at ${name}`);
    }
    const advice = `Add a TXT record at _dmarc.${domain}, such as "v=DMARC1; p=none": large mailbox providers reject bulk email without it.`;
    return finding('fault', `no DMARC record for ${domain}`, advice);
  };
  const spf = async (name: string): Promise<Finding> => {
    const records = (await read(name)).filter((text) => /^v=spf1( |$)/i.test(text));
    if (records.length === 0)
      return finding('fault', `no SPF record at ${name}`, 'Add the TXT record that the relay shows for the return path.');
    if (records.length > 1)
      return finding('fault', `${name} has ${records.length} SPF records`, 'Merge them into one: several are an error.');
    if (/ \+?all$/i.test(records[0] ?? ''))
      return finding('fault', `SPF at ${name} allows everyone`, 'End it with ~all or -all.');
    return finding('ok', `SPF at ${name}`);
  };
  const dkim = async (name: string): Promise<Finding> => {
    const keys = (await read(name)).filter((text) => /(^|;)\s*p=/.test(text));
    const advice = 'Add the record that the relay shows for this selector.';
    if (keys.length === 0) return finding('fault', `no DKIM key at ${name}`, advice);
    if (keys.every((text) => /(^|;)\s*p=\s*(;|$)/.test(text)))
      return finding('fault', `the DKIM key at ${name} is revoked`, advice);
    return finding('ok', `DKIM key at ${name}`);
  };
  const looks = [
    ...domains.map(dmarc),
    returnPath === undefined
      ? finding('note', 'SPF was not looked up', 'Name the return path: --return-path DOMAIN.')
      : spf(returnPath),
    ...(selector === undefined
      ? [finding('note', 'DKIM was not looked up', 'Name the selector: --dkim-selector NAME.')]
      : domains.map((domain) => dkim(`${selector}._domainkey.${domain}`))),
  ];
  const found = await Promise.allSettled(looks);
  return found.map((result) =>
    result.status === 'fulfilled'
      ? result.value
      : finding(
          'note',
          `the DNS doesn't answer (${(result.reason as NodeJS.ErrnoException).code})`,
          'Check again, or ask another server: --resolver ADDRESS.',
        ),
  );
}
