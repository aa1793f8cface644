// A thread that makes one Word document. Its data: a transcription, and what is written around the texts.
import { parentPort, workerData } from "node:worker_threads";
import { Packer } from "docx";
import type { Transcription } from "../../src/api/contract/index.ts";
import { documentOf } from "./docx-document.ts";
import type { Labels } from "./labels.ts";

const { transcription, labels }: { transcription: Transcription; labels: Labels } = workerData;
const file = Uint8Array.from(await Packer.toBuffer(documentOf(transcription, labels)));
parentPort?.postMessage(file, [file.buffer]);
