/**
 * The languages that the multilingual Whisper models were trained on: base codes ("he" and "jv", which Whisper calls
 * "iw" and "jw").
 */
export const whisperLanguages: readonly string[] = (
  "af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha haw he hi hr ht hu hy id is it ja jv ka kk " +
  "km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk sl sn so sq sr su sv sw ta te tg " +
  "th tk tl tr tt uk ur uz vi yi yo zh"
).split(" ");

/** The 25 European languages of Parakeet v3. */
export const parakeetLanguages: readonly string[] =
  "bg cs da de el en es et fi fr hr hu it lt lv mt nl pl pt ro ru sk sl sv uk".split(" ");
