// Whether the relay takes the key, asked by a call that sends nothing. Sources: each relay's API reference, "domains", "server", "scopes",
// "account", "info".
import type { Config } from '../config.ts';
import { RELAYS } from '../relay/registry.ts';
import { verifySmtp } from '../relay/smtp-sender.ts';
import { type Finding, fetchFault } from './finding.ts';

const TIMEOUT_MS = 10_000;

type Key = string;
const basic = (credentials: string) => ({ authorization: `Basic ${Buffer.from(credentials).toString('base64')}` });
const bearer = (key: Key) => ({ authorization: `Bearer ${key}` });

/** The call, and the statuses that say more than 200 and 401. Not for SES: its keys may be allowed to send only. */
const CALLS = {
  resend: { path: '/domains', headers: bearer },
  postmark: { path: '/server', headers: (key: Key) => ({ 'x-postmark-server-token': key }) },
  sendgrid: { path: '/v3/scopes', headers: bearer },
  mailgun: { path: '/v3/domains', headers: (key: Key) => basic(`api:${key}`) },
  brevo: { path: '/v3/account', headers: (key: Key) => ({ 'api-key': key }) },
  mailpit: { path: '/api/v1/info', headers: (key: Key) => (key === '' ? {} : basic(key)) },
} as const;

export async function checkRelay(config: Config): Promise<Finding> {
  const { RELAY: relay, RELAY_API_KEY: key = '', RELAY_URL: given, RELAY_TIMEOUT_SECONDS: timeoutSeconds } = config;
  const found = (state: Finding['state'], text: string, advice?: string): Finding => ({
    subject: 'relay',
    state,
    text: `${relay} ${text}`,
    ...(advice !== undefined && { advice }),
  });
  if (relay === '')
    return { subject: 'relay', state: 'fault', text: 'RELAY is not set', advice: 'Set it to the relay that sends your emails.' };
  if (relay === 'smtp') {
    const outcome = await verifySmtp({ url: given ?? '', connections: 1, timeoutSeconds });
    if (outcome === undefined) return found('ok', 'accepts the connection and the login');
    return found('fault', `refuses: ${outcome.code}`, 'Check the address, user and password in RELAY_URL.');
  }
  if (relay === 'ses') return found('note', "can't be asked without sending", "Send a test email from a token's page.");
  const { path, headers } = CALLS[relay];
  const url = `${given ?? RELAYS[relay].adapter.defaultUrl}${path}`;
  let response: Response;
  try {
    response = await fetch(url, { headers: headers(key), redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    return found('fault', `can't be reached (${fetchFault(error)})`, 'Check RELAY_URL, the firewall and the DNS.');
  }
  const text = await response.text();
  if (response.ok) return found('ok', 'accepts the key');
  // A key that may only send is the better one.
  if (relay === 'resend' && text.includes('restricted_api_key')) return found('ok', 'accepts the key, which may only send');
  if (response.status === 401 || (relay === 'resend' && /invalid_api_key|missing_api_key/.test(text))) {
    return found('fault', `refuses the key (${response.status})`, 'Set RELAY_API_KEY to a key of this account and region.');
  }
  return found('note', `says nothing of the key (${response.status})`, "Send a test email from a token's page.");
}
