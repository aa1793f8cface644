// A separate process that holds sherpa-onnx's punctuation: onnxruntime ends the whole process for a file that is not a
// model. Arguments: the paths of the model and of its word pieces (bpe.vocab).
import sherpa from "sherpa-onnx-node";
import * as v from "valibot";
import { serveRequests } from "#server/threads/serve-requests.ts";

/**
 * A request: words in lower case, separated by single spaces. The answer: the same words with casing and punctuation.
 */
const PunctuationRequest = v.object({ text: v.string() });

const [cnnBilstm = "", bpeVocab = ""] = process.argv.slice(2);
const punctuation = new sherpa.OnlinePunctuation({
  model: { cnnBilstm, bpeVocab, numThreads: 1, debug: false, provider: "cpu" },
});

serveRequests(PunctuationRequest, ({ text }) => punctuation.addPunct(text));
