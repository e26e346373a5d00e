// The mails to members, which have no invitation: to sign in, and tests. For the worker.
import type { Store } from '../database/store.ts';
import type { Log } from '../log.ts';
import type { RenderOptions } from '../mail/render.ts';
import type { MessageSender } from '../relay/relay.ts';
import { createSignInMailer } from './sign-in-email.ts';
import { createTestInvitationMailer } from './test-email.ts';

export type MemberMailers = ReturnType<typeof createMemberMailers>;

export const createMemberMailers = (store: Store, sender: MessageSender, options: RenderOptions, log: Log) => ({
  sendSignInLink: createSignInMailer(store, sender, options, log),
  sendTestInvitation: createTestInvitationMailer(store, sender, options, log),
});
