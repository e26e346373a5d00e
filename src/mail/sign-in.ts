// Renders the mail that signs a member in. Pure.
import type { Address, OutgoingMail } from '../relay/relay.ts';
import { htmlMail } from './render.ts';
import { escapeHtml } from './template.ts';

/** No invitation has this id: what a relay reports of the mail is nobody's. */
const NO_INVITATION = '0';
const SUBJECT = 'Your sign-in link';
const INTRO = 'You asked to sign in. The link works once, within 15 minutes.';
const FOOTNOTE = 'If you did not ask for it, ignore this mail: nothing happens without the link.';
const BUTTON =
  'display:inline-block;padding:12px 24px;border-radius:8px;background:#0b5cad;color:#fff;text-decoration:none;font-weight:600';

/** @param key Stands for this attempt at this mail, as its idempotency key. */
export function renderSignIn({
  email,
  link,
  key,
  from,
}: {
  email: string;
  link: string;
  key: string;
  from: Address;
}): OutgoingMail {
  const href = escapeHtml(link);
  return {
    id: NO_INVITATION,
    idempotencyKey: key,
    from,
    to: { email, name: '' },
    subject: SUBJECT,
    text: `${INTRO}\n\n${link}\n\n--\n${FOOTNOTE}\n`,
    html: htmlMail(
      SUBJECT,
      `<p>${INTRO}</p>
<p style="margin:24px 0"><a href="${href}" style="${BUTTON}">Sign in</a></p>
<p style="font-size:13px;color:#59636e;overflow-wrap:anywhere">Or open this address: ${href}</p>`,
      FOOTNOTE,
    ),
    headers: { 'Message-ID': `<${key}@${from.email.slice(from.email.lastIndexOf('@') + 1)}>` },
  };
}
