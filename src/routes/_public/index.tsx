import { createFileRoute } from "@tanstack/react-router";
import { Landing } from "#src/features/landing/landing.tsx";
import { loadText } from "#src/features/landing/text.tsx";

/** In the entry chunk: a chunk of its own would delay the first paint by a round trip. */
export const Route = createFileRoute("/_public/")({ codeSplitGroupings: [], loader: loadText, component: Landing });
