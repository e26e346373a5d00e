// French as Canada writes it: courriel and sondage, and no space before ; ! and ?
import type { Strings } from './en.ts';
import { fr } from './fr.ts';

export const canadian = (text: string): string =>
  text
    .replaceAll('\u202f', '')
    .replaceAll('e‑mail', 'courriel')
    .replaceAll('l’enquête', 'le sondage')
    .replaceAll('L’enquête', 'Le sondage')
    .replaceAll('à le sondage', 'au sondage')
    .replaceAll('Cette enquête', 'Ce sondage')
    .replaceAll('cette enquête', 'ce sondage')
    .replaceAll('une enquête', 'un sondage')
    .replaceAll('d’enquête', 'de sondage');

export const frCA: Strings = {
  ...(Object.fromEntries(Object.entries(fr).map(([name, text]) => [name, canadian(text)])) as Strings),
  notOpenTitle: 'Le sondage n’est pas encore ouvert',
  notOpen: 'Ce sondage n’est pas encore ouvert. Veuillez réessayer plus tard. Votre lien restera valable.',
  closedTitle: 'Sondage terminé',
  closed: 'Le sondage «\u00a0{title}\u00a0» est terminé. Merci de votre intérêt.',
  full: 'Le sondage «\u00a0{title}\u00a0» a reçu suffisamment de réponses et est terminé. Merci de votre intérêt.',
  byInvitationTitle: 'Sondage sur invitation',
};
