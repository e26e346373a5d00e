// SendGrid's API: the requests byte for byte, and what its documented answers mean.
import { sendgrid } from '../../src/relay/sendgrid.ts';
import { checkAdapter } from '../fixtures/relay.ts';

checkAdapter(sendgrid);
