import { createFileRoute } from "@tanstack/react-router";
import { upcoming } from "../../../components/upcoming/route.ts";

export const Route = createFileRoute("/_signedIn/_paid/encrypted-audio/")(upcoming("titles.encryptedAudio"));
