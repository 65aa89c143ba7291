# Dependencies are installed apart from the sources, so that they are built again only
# when package-lock.json changes; what is for development stays out of the image.
FROM node:22-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev

FROM node:22-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY . .
# Comes with the image, and may change nothing of the above.
USER node
EXPOSE 3000
CMD ["node", "index.js"]
