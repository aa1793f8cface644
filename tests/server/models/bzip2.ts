import { sha256Of } from "#tests/fixtures/model-archive.ts";

/** An archive of tiny-pack/model.int8.onnx ("network") and tiny-pack/tokens.txt ("a 0"), made by `tar -cj`. */
const bytes = Buffer.from(
  "QlpoOTFBWSZTWSMQTyMAAN3/hMmQAkBAA//AAIQBAG4v3uAAAIAoMAC5sI9Up6I2hDACGjAjeoQjSEDQAAAAABFRJo9TTTQaaAZA" +
    "NAP177hlqK5mcogK85CA2VysMdIzNWDXMyHSwRCIkAi3sS2Hx7cPWdkVUKxpYgN13KkHFOYMsEjFANtgICUlaYRQSgh1lhShQJlr" +
    "JZ1mQ97CSoXShc+Z5+nT9jG1urmCuhhQ3gQU7nKUUi3HhWDcTbiaeeTgmcxh2EET+LuSKcKEgRiCeRg=",
  "base64",
);

/** An archive of a model of two files in the folder tiny-pack. */
export const smallBzip2 = { bytes, sha256: sha256Of(bytes) };
