// Brevo's API: the requests byte for byte, and the meaning of its documented responses.
import { brevo } from '../../src/relay/brevo.ts';
import { checkAdapter } from '../fixtures/relay.ts';

checkAdapter(brevo);
