// The mails to members, which have no invitation: to sign in, and tests. For the worker.
import type { Functions } from './functions.ts';
import type { Log } from './log.ts';
import type { RenderOptions } from './mail/render.ts';
import type { MailSender } from './relay/relay.ts';
import { createSignInMailer } from './sign-in-mailer.ts';
import { createTestInvitationMailer } from './test-invitation-mailer.ts';

export type MemberMailers = ReturnType<typeof createMemberMailers>;

export const createMemberMailers = (functions: Functions, sender: MailSender, options: RenderOptions, log: Log) => ({
  sendSignInLink: createSignInMailer(functions, sender, options, log),
  sendTestInvitation: createTestInvitationMailer(functions, sender, options, log),
});
