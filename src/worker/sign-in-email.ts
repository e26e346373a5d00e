// Sends the mail with a sign-in link. The secret is made here, just before: no table and no job ever has it.
import type { Store } from '../database/store.ts';
import type { Log } from '../log.ts';
import { signInLink } from '../mail/links.ts';
import type { RenderOptions } from '../mail/render.ts';
import { renderSignIn } from '../mail/sign-in.ts';
import { isTriedAgain, type MessageSender } from '../relay/relay.ts';
import { createKey } from '../secret.ts';

/** @param attempt 1 for the first. Rejects if the mail may be tried again; the job then is, with a new secret. */
export type SendSignInLink = (linkId: string, attempt: number) => Promise<void>;

export function createSignInMailer(
  store: Pick<Store, 'issueSignInLink'>,
  sender: MessageSender,
  { publicUrl, from }: RenderOptions,
  log: Log,
): SendSignInLink {
  return async (linkId, attempt) => {
    const { key, hash } = createKey();
    const email = await store.issueSignInLink(linkId, hash);
    if (email === null) return;
    const mail = renderSignIn({ email, link: signInLink(publicUrl, key), key: `sign-in.${linkId}.${attempt}`, from });
    const [outcome] = await sender.send([mail], 1);
    const kind = outcome?.kind ?? 'unknown';
    log.info({ sign_in_link: linkId, outcome: kind }, 'sign-in mail tried');
    // Nothing but the kind: a relay's words may repeat the address.
    if (isTriedAgain(kind)) throw new Error(`the sign-in mail did not surely leave: ${kind}`);
  };
}
