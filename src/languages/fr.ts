// What the service itself says to recipients: French, formal.
import type { Strings } from './en.ts';

export const fr: Strings = {
  reminderSubject: 'Rappel\u00a0: {subject}',
  emailReason: 'Vous recevez cet e‑mail car {workspace} vous invite à répondre à une enquête.',
  unsubscribe: 'Se désabonner',
  unsubscribeLine: 'Se désabonner\u00a0: {link}',

  errorTitle: 'Erreur\u00a0: {title}',
  notSubmitted: 'Vos réponses n’ont pas encore été envoyées',
  questionsChanged: 'Les questions ont changé depuis que vous avez ouvert cette page. Veuillez vérifier vos réponses.',
  optional: '(facultatif)',
  noAnswer: 'Sans réponse',
  submit: 'Envoyer',
  answersGoTo: 'Vos réponses seront transmises à {workspace}.',
  chooseNumber: 'Veuillez choisir une note.',
  chooseAnswer: 'Veuillez choisir une réponse.',
  enterAnswer: 'Veuillez saisir une réponse.',
  tooLong: 'Veuillez saisir au maximum {max}\u00a0caractères.',

  thanksTitle: 'Merci\u202f!',
  thanks: 'Votre réponse a bien été enregistrée. Vous pouvez fermer cette page.',
  respondedTitle: 'Vous avez déjà répondu',
  responded: 'Votre réponse à l’enquête {title} a bien été enregistrée. Merci\u202f!',
  invalidLinkTitle: 'Ce lien n’est pas valide',
  invalidLink: 'Il est peut-être incomplet. Veuillez l’ouvrir à nouveau depuis votre e‑mail.',
  notOpenTitle: 'L’enquête n’est pas encore ouverte',
  notOpen: 'Cette enquête n’est pas encore ouverte. Veuillez réessayer plus tard. Votre lien restera valable.',
  closedTitle: 'Enquête terminée',
  closed: 'L’enquête {title} est terminée. Merci de votre intérêt.',
  byInvitationTitle: 'Enquête sur invitation',
  byInvitation: 'Pour répondre, veuillez ouvrir le lien figurant dans l’e‑mail envoyé par {workspace}.',

  unsubscribeTitle: 'Se désabonner',
  unsubscribeQuestion: 'Souhaitez-vous ne plus recevoir à l’adresse {email} les e‑mails d’enquête envoyés par {workspace}\u202f?',
  unsubscribeScope: 'S’applique à tous les e‑mails d’enquête envoyés par {workspace}, y compris les rappels.',
  unsubscribedTitle: 'Désabonnement confirmé',
  unsubscribed: '{workspace} n’enverra plus d’e‑mails d’enquête à {email}.',
  mistake: 'Était-ce une erreur\u202f?',
  resubscribe: 'Se réabonner',
  askWorkspace: 'Pour en recevoir à nouveau, veuillez vous adresser à {workspace}.',
  resubscribedTitle: 'Réabonnement confirmé',
  resubscribed:
    '{workspace} peut de nouveau envoyer des e‑mails d’enquête à {email}. Les e‑mails retenus entre-temps ne seront pas envoyés.',
  erasedTitle: 'Aucun désabonnement nécessaire',
  erased:
    'L’adresse à laquelle cette invitation a été envoyée a été supprimée. Si {workspace} vous envoie un autre e‑mail, utilisez le lien qu’il contient.',

  notFoundTitle: 'Page introuvable',
  notFound: 'Veuillez vérifier l’adresse. Si vous avez suivi un lien reçu par e‑mail, il est peut-être incomplet.',
  tooManyTitle: 'Trop de tentatives',
  tooMany: 'Veuillez patienter une minute, puis réessayer.',
  unavailableTitle: 'Temporairement indisponible',
  unavailable: 'Veuillez réessayer dans quelques minutes.',
  failedTitle: 'Une erreur est survenue',
  failed: 'Le problème vient de notre côté. Veuillez réessayer plus tard.',
  badRequestTitle: 'La demande n’a pas abouti',
  badRequest: 'Nous n’avons pas pu traiter votre demande. Veuillez revenir en arrière et réessayer.',
  requestId: 'Demande {id}',

  defaultMessage:
    'Bonjour {{recipient_name}},\n\n{{workspace_name}} souhaite connaître votre avis\u00a0: {{survey_title}}\n\n{{survey_link}}\n\nMerci d’avance\u202f!',
  recommend: 'Quelle est la probabilité que vous nous recommandiez\u202f?',
  leastLikely: 'Pas du tout probable',
  mostLikely: 'Extrêmement probable',
  mainReason: 'Quelle est la principale raison de votre note\u202f?',
};
