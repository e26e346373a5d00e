// The adapters by the name that the setting RELAY gives them.
import { mailpit } from './mailpit.ts';
import type { RelayAdapter } from './relay.ts';
import { resend } from './resend.ts';

export const ADAPTERS: Readonly<Record<'mailpit' | 'resend', RelayAdapter>> = { mailpit, resend };
