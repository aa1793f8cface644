import { createFileRoute } from "@tanstack/react-router";
import { upcoming } from "../../components/upcoming/route.ts";

export const Route = createFileRoute("/_signedIn/url-transcription-config")(upcoming("titles.urlConfig"));
