// Renders the mail that signs a member in. Pure.
import type { Address, OutgoingMessage } from '../relay/relay.ts';
import { buttonLink, htmlMail } from './html.ts';
import { escapeHtml } from './template.ts';

/** No invitation has this id: what a relay reports of the mail is nobody's. */
export const NO_INVITATION = '0';
const SUBJECT = 'Your sign-in link';
const INTRO = 'You asked to sign in. The link works once, within 15 minutes.';
const FOOTNOTE = 'If you did not ask for it, ignore this mail: nothing happens without the link.';

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
}): OutgoingMessage {
  return {
    id: NO_INVITATION,
    idempotencyKey: key,
    from,
    to: { email, name: '' },
    subject: SUBJECT,
    text: `${INTRO}\n\n${link}\n\n--\n${FOOTNOTE}\n`,
    html: htmlMail(SUBJECT, `<p>${INTRO}</p>\n${buttonLink(escapeHtml(link), 'Sign in')}`, FOOTNOTE),
    headers: { 'Message-ID': `<${key}@${from.email.slice(from.email.lastIndexOf('@') + 1)}>` },
  };
}
