import { createFileRoute } from "@tanstack/react-router";
import { blogPost } from "#src/features/blog/route.ts";

export const Route = createFileRoute("/_public/blog/$slug")(blogPost);
