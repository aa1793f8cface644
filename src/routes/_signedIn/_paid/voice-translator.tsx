import { createFileRoute } from "@tanstack/react-router";
import { upcoming } from "../../../components/upcoming/route.ts";

// Free tier (SPEC.md section 5).
export const Route = createFileRoute("/_signedIn/_paid/voice-translator")(upcoming("titles.voiceTranslator", "signedIn"));
