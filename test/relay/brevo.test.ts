// Brevo's API: the requests byte for byte, and what its documented answers mean.
import { brevo } from '../../src/relay/brevo.ts';
import { checkAdapter } from '../fixtures/relay.ts';

checkAdapter(brevo);
