import { createFileRoute } from "@tanstack/react-router";
import { generatorRoute } from "../../../components/generator/pages.ts";

export const Route = createFileRoute("/_signedIn/_admin/admin/blog/generator")(generatorRoute());
