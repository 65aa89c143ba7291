# Built with Maven, run on a JRE.
FROM maven:3-eclipse-temurin-21 AS build
WORKDIR /src
COPY pom.xml .
RUN mvn --batch-mode dependency:go-offline
COPY src ./src
RUN mvn --batch-mode package -DskipTests && cp target/*.jar /app.jar

FROM eclipse-temurin:21-jre
RUN useradd --create-home app
COPY --from=build /app.jar /app.jar
USER app
EXPOSE 8080
# Memory as far as the container has it, rather than as the machine has.
CMD ["java", "-XX:MaxRAMPercentage=75", "-jar", "/app.jar"]
