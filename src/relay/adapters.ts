// The adapters by the name that the setting RELAY gives them.
import { brevo } from './brevo.ts';
import { mailgun } from './mailgun.ts';
import { mailpit } from './mailpit.ts';
import { postmark } from './postmark.ts';
import type { RelayAdapter } from './relay.ts';
import { resend } from './resend.ts';
import { sendgrid } from './sendgrid.ts';
import { ses } from './ses.ts';

export type AdapterName = 'mailpit' | 'resend' | 'postmark' | 'sendgrid' | 'mailgun' | 'brevo' | 'ses';

export const ADAPTERS: Readonly<Record<AdapterName, RelayAdapter>> = {
  mailpit,
  resend,
  postmark,
  sendgrid,
  mailgun,
  brevo,
  ses,
};
