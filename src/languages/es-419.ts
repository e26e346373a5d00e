// Spanish as Latin America writes it: “quotation marks”, and words that are usual there.
import type { Strings } from './en.ts';
import { es } from './es.ts';

export const latinAmerican = (text: string): string =>
  text
    .replaceAll('«', '“')
    .replaceAll('»', '”')
    .replaceAll('responder a la encuesta', 'responder la encuesta')
    .replaceAll('responder a una encuesta', 'responder una encuesta')
    .replaceAll('Responder a la encuesta', 'Responder la encuesta');

export const es419: Strings = {
  ...(Object.fromEntries(Object.entries(es).map(([name, text]) => [name, latinAmerican(text)])) as Strings),
  linkExpiredTitle: 'Este enlace venció',
  unsubscribeTitle: 'Cancelar la suscripción',
  unsubscribe: 'Cancelar la suscripción',
  unsubscribeLine: 'Cancelar la suscripción: {link}',
  unsubscribedTitle: 'Suscripción cancelada',
  erasedTitle: 'No es necesario cancelar la suscripción',
  mistake: '¿Fue un error?',
  failedTitle: 'Se produjo un error',
  badRequestTitle: 'No se pudo completar la operación',
  badRequest: 'No pudimos procesar su solicitud. Regrese e inténtelo de nuevo.',
};
