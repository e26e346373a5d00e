// Polka returning a constant: the limit of this machine, Node and the load.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import polka from 'polka';
import { answer } from '../child.ts';

const server = createServer();
polka({ server })
  .post('/api/invitation-trigger', (_, response) => void response.end('{"ok":true}'))
  .listen(0, '127.0.0.1', () => answer(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => true));
