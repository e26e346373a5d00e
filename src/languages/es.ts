// What the service itself says to recipients: Spanish, formal.
import type { Strings } from './en.ts';

export const es: Strings = {
  reminderSubject: 'Recordatorio: {subject}',
  emailReason: 'Recibe este correo porque {workspace} le ha enviado una invitación para responder una encuesta.',
  unsubscribe: 'Darse de baja',
  unsubscribeLine: 'Darse de baja: {link}',

  errorTitle: 'Error: {title}',
  notSubmitted: 'Sus respuestas aún no se han enviado',
  questionsChanged: 'Las preguntas han cambiado desde que abrió esta página. Revise sus respuestas.',
  optional: '(opcional)',
  noAnswer: 'Sin respuesta',
  submit: 'Enviar',
  answersGoTo: 'Sus respuestas se enviarán a {workspace}.',
  chooseNumber: 'Elija un número.',
  chooseAnswer: 'Elija una respuesta.',
  enterAnswer: 'Escriba una respuesta.',
  tooLong: 'Use como máximo {max} caracteres.',

  thanksTitle: '¡Gracias!',
  thanks: 'Hemos registrado su respuesta. Ya puede cerrar esta página.',
  respondedTitle: 'Ya ha respondido',
  responded: 'Hemos registrado su respuesta a la encuesta {title}. ¡Gracias!',
  invalidLinkTitle: 'Este enlace no es válido',
  invalidLink: 'Es posible que esté incompleto. Ábralo de nuevo desde el correo que recibió.',
  notOpenTitle: 'Encuesta aún no disponible',
  notOpen: 'Esta encuesta aún no está abierta. Inténtelo más tarde. Su enlace seguirá funcionando.',
  closedTitle: 'Encuesta cerrada',
  closed: 'La encuesta {title} está cerrada. Gracias por su interés.',
  byInvitationTitle: 'Encuesta solo por invitación',
  byInvitation: 'Para responder, abra el enlace del correo que le envió {workspace}.',

  unsubscribeTitle: 'Darse de baja',
  unsubscribeQuestion: '¿Desea dejar de recibir en {email} los correos de encuestas de {workspace}?',
  unsubscribeScope: 'Se aplica a todos los correos de encuestas de {workspace}, incluidos los recordatorios.',
  unsubscribedTitle: 'Baja confirmada',
  unsubscribed: '{workspace} no enviará más correos de encuestas a {email}.',
  mistake: '¿Ha sido un error?',
  resubscribe: 'Volver a suscribirse',
  askWorkspace: 'Si desea volver a recibirlos, póngase en contacto con {workspace}.',
  resubscribedTitle: 'Suscripción restablecida',
  resubscribed:
    '{workspace} puede volver a enviar correos de encuestas a {email}. Los correos retenidos entretanto no se enviarán.',
  erasedTitle: 'No es necesario darse de baja',
  erased:
    'La dirección a la que se envió esta invitación se ha eliminado. Si recibe otro correo de {workspace}, use el enlace que contiene.',

  notFoundTitle: 'Página no encontrada',
  notFound: 'Compruebe la dirección. Si ha abierto un enlace de un correo, es posible que esté incompleto.',
  tooManyTitle: 'Demasiados intentos',
  tooMany: 'Espere un minuto e inténtelo de nuevo.',
  unavailableTitle: 'No disponible temporalmente',
  unavailable: 'Inténtelo de nuevo dentro de unos minutos.',
  failedTitle: 'Se ha producido un error',
  failed: 'El problema es nuestro. Inténtelo de nuevo más tarde.',
  badRequestTitle: 'No se ha podido completar la operación',
  badRequest: 'No hemos podido procesar su solicitud. Vuelva atrás e inténtelo de nuevo.',
  requestId: 'Solicitud {id}',

  defaultMessage:
    'Hola, {{recipient_name}}:\n\nA {{workspace_name}} le gustaría conocer su opinión: {{survey_title}}\n\n{{survey_link}}\n\n¡Muchas gracias!',
  recommend: '¿Qué probabilidad hay de que nos recomiende?',
  leastLikely: 'Nada probable',
  mostLikely: 'Extremadamente probable',
  mainReason: '¿Cuál es el motivo principal de su puntuación?',
};
