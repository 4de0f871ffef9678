#!/bin/sh
# Installs Debian's Java for the tests that run queries on Spark, where none of version 17 or later is found and we may.
# Ends with 1, saying why, where it is not there in the end; the tests are skipped then, and say so.
java=java
if [ -n "${JAVA_HOME:-}" ]; then
    java=$JAVA_HOME/bin/java
fi
version=$("$java" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p' | head -n 1)
if [ "${version:-0}" -ge 17 ]; then
    exit 0
fi
if [ -n "${JAVA_HOME:-}" ]; then
    echo "no Java 17 or later by JAVA_HOME=$JAVA_HOME: what needs Spark will be skipped; set it to one, or unset it" >&2
    exit 1
fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "no Java 17 or later: what needs Spark will be skipped" \
        "(on Debian: apt-get install openjdk-17-jre-headless, or openjdk-21-jre-headless)" >&2
    exit 1
fi
echo "installing Java for the tests on Spark" >&2
apt-get update -qq >/dev/null || true
for package in openjdk-17-jre-headless openjdk-21-jre-headless; do
    if DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package" >/dev/null 2>&1; then
        exit 0
    fi
done
echo "Java could not be installed: what needs Spark will be skipped" >&2
exit 1
