// Canadian French that says tu: what fr-CA.ts words otherwise than French.
import type { Strings } from '../en.ts';

export const frCA: Partial<Strings> = {
  notOpen: 'Ce sondage n’est pas encore ouvert. Réessaie plus tard. Ton lien restera valable.',
  closed: 'Le sondage «\u00a0{title}\u00a0» est terminé. Merci de ton intérêt.',
  full: 'Le sondage «\u00a0{title}\u00a0» a reçu suffisamment de réponses et est terminé. Merci de ton intérêt.',
};
