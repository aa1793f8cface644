import { createFileRoute } from "@tanstack/react-router";
import { Landing } from "#src/features/landing/landing.tsx";

/** In the first script already: a chunk of its own would be one more round trip before anything is seen. */
export const Route = createFileRoute("/_public/")({ codeSplitGroupings: [], component: Landing });
