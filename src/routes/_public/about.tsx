import { createFileRoute } from "@tanstack/react-router";
import { infoRoute } from "../../components/info/route.ts";

export const Route = createFileRoute("/_public/about")(infoRoute("titles.about", "about", true));
