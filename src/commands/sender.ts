// The options for the sender of emails, for a workspace and for a token.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { Sender, Store } from '../database/store.ts';
import { OperatorError } from '../errors.ts';
import { checkSenderDomain } from '../mail/sender.ts';
import { checkLogo } from '../uploads/logo.ts';

export interface SenderFlags {
  readonly senderName?: string;
  readonly senderEmail?: string;
  readonly replyTo?: string;
  readonly logo?: string;
  readonly logoUrl?: string;
  readonly logoAlt?: string;
  readonly accentColor?: string;
  readonly postalAddress?: string;
  readonly recipientWord?: string;
  readonly greetingWithoutName?: string;
  readonly subjectWithoutName?: string;
  readonly buttonText?: string;
  readonly preheader?: string;
}

/** @param fallback What applies if a text is empty. */
export const addSenderOptions = (command: Command, fallback: string): Command =>
  command
    .option('--sender-name <NAME>', `name that emails come from; empty: ${fallback}; empty also removes what follows`)
    .option('--sender-email <ADDRESS>', 'address that emails come from, of a domain in SENDER_DOMAINS')
    .option('--reply-to <ADDRESS>', 'address for replies')
    .option('--logo <FILE>', 'picture at the top of emails and pages: PNG or JPEG, at most 200 KB')
    .option('--logo-url <URL>', 'https address of one at the top of emails alone; empty: no logo')
    .option('--logo-alt <TEXT>', "text in the logo's place (the workspace's name)")
    .option('--accent-color <COLOR>', 'color of buttons and links, such as #0b5cad')
    .option('--postal-address <TEXT>', 'postal address at the end of emails')
    .option('--recipient-word <WORD>', 'word for a recipient without a name (none: the name is left out)')
    .option('--greeting-without-name <TEXT>', 'greeting without a name, such as "Dear customer,"')
    .option('--subject-without-name <TEXT>', 'subject instead of one with the name')
    .option('--button-text <TEXT>', 'text of the button that leads to the survey ("Take the survey")')
    .option('--preheader <TEXT>', 'line that an inbox shows beside the subject (the first sentence)');

/**
 * Undefined: no option was given.
 * @throws {ConfigError} The settings are needed and are wrong. If the domain isn't allowed, an error with the rule's name.
 */
export function senderOf(flags: SenderFlags, config: () => Config): Sender | undefined {
  const sender: Sender = {
    name: flags.senderName,
    email: flags.senderEmail,
    reply_to: flags.replyTo,
    logo_url: flags.logoUrl,
    logo_alt: flags.logoAlt,
    accent_color: flags.accentColor,
    postal_address: flags.postalAddress,
    recipient_word: flags.recipientWord,
    greeting_without_name: flags.greetingWithoutName,
    subject_without_name: flags.subjectWithoutName,
    button_text: flags.buttonText,
    preheader: flags.preheader,
  };
  if (Object.values(sender).every((value) => value === undefined)) return undefined;
  const { MAIL_FROM: from, SENDER_DOMAINS: senderDomains } = config();
  checkSenderDomain(sender, { from, senderDomains });
  return sender;
}

/**
 * The sender with the picture of --logo, which it stores.
 * @throws {OperatorError} There is no such file, or it is no logo.
 */
export async function withLogo(
  sender: Sender | undefined,
  { logo: path }: SenderFlags,
  store: Store,
  workspaceId: () => string | Promise<string>,
): Promise<Sender | undefined> {
  if (path === undefined) return sender;
  const logo = logoIn(path);
  return { ...sender, logo_url: await store.addLogo(await workspaceId(), logo) };
}

function logoIn(path: string) {
  try {
    return checkLogo(readFileSync(path));
  } catch (cause) {
    throw new OperatorError(`${path}: ${(cause as Error).message}`, { kind: 'rejected', cause });
  }
}
