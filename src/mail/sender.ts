// The sender of an email: what the workspace and its token set, within what the operator allows. Pure.
import type { Sender } from '../database/store.ts';
import { type Accent, accentOf, DEFAULT_ACCENT } from '../html/accent.ts';
import { logoOf, type ShownLogo } from '../html/logo.ts';
import type { Address } from '../relay/relay.ts';

export interface SenderOptions {
  /** MAIL_FROM. */
  readonly from: Address;
  /** The SENDER_DOMAINS. Undefined: only the domain of MAIL_FROM. */
  readonly senderDomains?: readonly string[] | undefined;
}

export interface EmailSender {
  readonly from: Address;
  readonly replyTo: string | undefined;
  readonly logo: ShownLogo | undefined;
  readonly accent: Accent;
  readonly postalAddress: string | undefined;
}

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** The domains of addresses that may be used. */
export const sendingDomains = ({ from, senderDomains = [domainOf(from.email)] }: SenderOptions): readonly string[] =>
  senderDomains;

export const mayUseAddress = (email: string, options: SenderOptions): boolean =>
  sendingDomains(options).includes(domainOf(email));

/**
 * If the address isn't allowed, or not anymore, MAIL_FROM is used. Otherwise the relay would reject the email and then be paused.
 * @param workspace Its name.
 */
export function senderOf(sender: Sender | null, workspace: string, options: SenderOptions): EmailSender {
  const { name, email, reply_to, logo_url, logo_alt, accent_color, postal_address } = sender ?? {};
  const { from } = options;
  return {
    from: { name: name ?? from.name, email: email !== undefined && mayUseAddress(email, options) ? email : from.email },
    replyTo: reply_to,
    logo: logoOf(logo_url, logo_alt ?? workspace),
    accent: accent_color === undefined ? DEFAULT_ACCENT : accentOf(accent_color),
    postalAddress: postal_address,
  };
}

/**
 * Checks the domain where people set a sender.
 * @throws An error with a rule's name, as if the database had checked the domain.
 */
export function checkSenderDomain({ email }: Sender, options: SenderOptions): void {
  if (email === undefined || email === '' || !email.includes('@') || mayUseAddress(email, options)) return;
  throw Object.assign(new Error('sender_domain'), { constraint_name: 'sender_domain' });
}
